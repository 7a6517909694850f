// A real parallel region of LLVM's OpenMP runtime, in a program built by Bazel's compiler. The region begins through
// the entry point that clang calls. The collector in the program is the runtime's OMPT tool, so a sample asks the
// runtime as usual.
#ifndef OMPPROF_TESTS_BENCH_PARALLEL_REGION_H_
#define OMPPROF_TESTS_BENCH_PARALLEL_REGION_H_

#include <functional>

namespace ompprof::bench {

// Runs `job` in one thread of a region of two. The other thread waits asleep at the region's end.
void InRegion(bool worker, const std::function<void()>& job);

}  // namespace ompprof::bench

#endif  // OMPPROF_TESTS_BENCH_PARALLEL_REGION_H_

// Stacks of a chosen depth, and code run on top of them or in a signal handler that interrupted them: where a profiler
// does its work. For the benchmarks of this folder.
#ifndef OMPPROF_TESTS_BENCH_DEEP_STACK_H_
#define OMPPROF_TESTS_BENCH_DEEP_STACK_H_

#include <stdint.h>
#include <ucontext.h>

#include <functional>

#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::bench {

// Descents that the functions below take: as many frames, each of a function of its own and of another size, so that
// each has an unwind rule of its own.
inline constexpr int kDescents[] = {1, 12, 22, 25, 121};

// Runs `job` on top of a stack with `descents` + 1 frames more.
void AtDepth(int descents, const std::function<void()>& job);

// Runs `job` in a signal handler (SIGUSR1) that interrupted such a stack.
void InHandlerAt(int descents, const std::function<void(ucontext_t*)>& job);

// Instructions behind the interrupted one, and behind each of the stack's calls, that are nops: a program counter may
// be moved by less than this and is still in the same function, with the same unwind rule.
inline constexpr int kLeafRoom = 64;
inline constexpr int kCallRoom = 8;

// Runs `job` in a thread of its own, on whose stack nothing else lies, and waits for it.
void OnNewThread(const std::function<void()>& job);

// The calling thread's stack.
collect::StackBounds BoundsOfThisThread();

uint64_t NowNs();
// The calling thread's CPU time: what a loop took whoever else was running. A system call.
uint64_t CpuNs();

// Writes 24 MB, so that what runs next finds its stack, its tables and its code in memory, as a sample taken every
// millisecond does.
void EvictCaches();

}  // namespace ompprof::bench

#endif  // OMPPROF_TESTS_BENCH_DEEP_STACK_H_

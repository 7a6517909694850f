// Memory that one function of a region touches for the first time, page by page, and computation beside it that touches
// none. Counts of page faults have known places.
//   counted [PAGES] [CPU_MS]
#include <omp.h>
#include <sys/mman.h>

#include "truth.h"

namespace {

constexpr size_t kPage = 4096;

truth::Account touching("function", "touch"), computing("function", "compute");

}  // namespace

TRUTH_WORK(compute)

// `iterations` of computation for each page, so that the function takes as long as its samples need.
TRUTH_FUNCTION uint64_t touch(char* memory, size_t pages, uint64_t iterations) {
  uint64_t x = 88172645463325252u;
  for (size_t page = 0; page < pages; page++) {
    memory[page * kPage] = 1;
    for (uint64_t i = 0; i < iterations; i++) {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
      asm volatile("" : "+r"(x));
    }
  }
  return x;
}

TRUTH_FUNCTION void touching_region(char* memory, size_t pages, double ms) {
#pragma omp parallel
  {
    const size_t mine = pages / omp_get_num_threads();
    const truth::Timed timed(touching);
    touch(memory + omp_get_thread_num() * mine * kPage, mine, truth::Iterations(ms / pages));
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void computing_region(double ms) {
#pragma omp parallel
  {
    const truth::Timed timed(computing);
    compute(truth::Iterations(ms / omp_get_num_threads()));
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  const size_t pages = truth::Argument(argc, argv, 1, 20000) / omp_get_max_threads() * omp_get_max_threads();
  const double ms = static_cast<double>(truth::Argument(argc, argv, 2, 1600));
  void* const memory = mmap(nullptr, pages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, /*fd=*/-1, 0);
  if (memory == MAP_FAILED) return 1;
  madvise(memory, pages * kPage, MADV_NOHUGEPAGE);  // else a fault brings many pages
  computing_region(ms / 4);
  touching_region(static_cast<char*>(memory), pages, ms / 2);
  computing_region(ms / 4);
  touching.Print();
  computing.Print();
  printf("truth count pages %zu\n", pages);
  truth::PrintProcess();
  return 0;
}

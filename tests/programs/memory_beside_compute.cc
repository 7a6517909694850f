// Each thread streams through its part of 200 MB and then computes in registers, in turn. How long a pass through
// memory takes depends on the machine and on the other threads. The truth is measured, so it does not matter.
//   memory_beside_compute [CPU_MS]
#include <omp.h>

#include <vector>

#include "truth.h"

TRUTH_WORK(compute)

TRUTH_FUNCTION void stream(const uint64_t* numbers, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += numbers[i];
  asm volatile("" : : "r"(sum));  // the compiler may not leave out the call
}

static truth::Account streaming("function", "stream"), computing("function", "compute");

constexpr size_t kBytes = 200000000;
constexpr double kComputeMs = 10;

TRUTH_FUNCTION void memory_region(double ms) {
#pragma omp parallel
  {
    const uint64_t start = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
    const uint64_t end = start + static_cast<uint64_t>(ms * 1e6 / omp_get_num_threads());
    const std::vector<uint64_t> numbers(kBytes / sizeof(uint64_t) / omp_get_num_threads(), 1);
    const uint64_t iterations = truth::Iterations(kComputeMs);
    while (truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) < end) {
      {
        truth::Timed timed(streaming);
        stream(numbers.data(), numbers.size());
      }
      {
        truth::Timed timed(computing);
        compute(iterations);
      }
    }
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  truth::Iterations(1);
  memory_region(static_cast<double>(truth::Argument(argc, argv, 1, 5000)));
  streaming.Print();
  computing.Print();
  truth::PrintProcess();
  return 0;
}

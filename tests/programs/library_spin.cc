// Works in a region of two threads for 60 % of its CPU time, then waits in a library for 40 %, outside of regions.
//   library_spin CPU_MS
#include "library_spin.h"

#include "truth.h"

namespace {

truth::Account working("function", "spin_work");
truth::Account waiting("state", "library_wait");

}  // namespace

TRUTH_WORK(spin_work)

TRUTH_FUNCTION void work_region(uint64_t iterations) {
#pragma omp parallel num_threads(2)
  {
    truth::Timed timed(working);
    spin_work(iterations);
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void wait_for_library(uint64_t cpu_ns) {
  truth::Timed timed(waiting);
  spin_in_library(cpu_ns);
}

int main(int argc, char** argv) {
  const auto cpu_ms = static_cast<double>(truth::Argument(argc, argv, 1, 2000));
  work_region(truth::Iterations(0.3 * cpu_ms));
  wait_for_library(static_cast<uint64_t>(0.4 * cpu_ms * 1e6));
  working.Print();
  waiting.Print();
  truth::PrintProcess();
  return 0;
}

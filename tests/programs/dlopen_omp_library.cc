// The library that dlopen_omp loads. library_run returns the CPU time of all its threads.
#include <omp.h>

#include "truth.h"

TRUTH_WORK(library_work)

TRUTH_FUNCTION uint64_t library_run(double ms) {
  uint64_t cpu_ns = 0;
#pragma omp parallel reduction(+ : cpu_ns)
  {
    const uint64_t start = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
    library_work(truth::Iterations(ms / omp_get_num_threads()));
    cpu_ns += truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) - start;
  }
  return cpu_ns;
}

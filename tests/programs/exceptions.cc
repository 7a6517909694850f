// Every thread throws through ten frames and catches, again and again. Half of the CPU time goes there, the other half
// into plain work. The C++ unwinder and the profiler's walk the same stacks.
//   exceptions [CPU_MS]
#include <omp.h>

#include <stdexcept>

#include "truth.h"

TRUTH_WORK(calm_work)

static truth::Account storm("function", "throw_storm"), calm("function", "calm_work");

TRUTH_FUNCTION int throw_from(int depth) {
  struct Cleanup {
    ~Cleanup() { TRUTH_NO_TAIL_CALL(); }
  } cleanup;
  if (depth == 0) throw std::runtime_error("from the depths");
  return throw_from(depth - 1) + 1;
}

// Returns how many exceptions were caught. Any number but `count` is an error.
TRUTH_FUNCTION long throw_storm(long count) {
  long caught = 0;
  for (long i = 0; i < count; i++) {
    try {
      throw_from(10);
    } catch (const std::runtime_error&) {
      caught++;
    }
  }
  return caught;
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 4000));
  long missing = 0;
#pragma omp parallel reduction(+ : missing)
  {
    const double part = ms / 2 / omp_get_num_threads();
    uint64_t storm_ns = 0;
    while (static_cast<double>(storm_ns) < part * 1e6) {
      const uint64_t start = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
      missing += 1000 - throw_storm(1000);
      storm_ns += truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) - start;
    }
    storm.Add(storm_ns);
    truth::Timed timed(calm);
    calm_work(truth::Iterations(part));
  }
  storm.Print();
  calm.Print();
  truth::PrintProcess();
  printf("missing %ld\n", missing);
  return missing == 0 ? 0 : 1;
}

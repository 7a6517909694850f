// The worker threads spend most of their time in a function that the C library calls: qsort's comparator. The stack
// then goes program, library, program, runtime.
//   qsort_worker [CPU_MS]
#include <omp.h>

#include <vector>

#include "truth.h"

TRUTH_WORK(compare_work)
TRUTH_WORK(plain_work)

static truth::Account sorting("path", "main;sort_region;compare_keys"), plain("path", "main;sort_region;plain_work");

// A comparison takes 20 us, so that qsort's own work between two calls is nothing beside it.
static uint64_t compare_iterations;

TRUTH_FUNCTION int compare_keys(const void* left, const void* right) {
  compare_work(compare_iterations);
  const unsigned a = *static_cast<const unsigned*>(left), b = *static_cast<const unsigned*>(right);
  TRUTH_NO_TAIL_CALL();
  return (a > b) - (a < b);
}

TRUTH_FUNCTION void sort_region(double ms) {
#pragma omp parallel
  {
    const double part = ms / omp_get_num_threads();
    uint64_t sorted_ns = 0;
    for (unsigned seed = 1; static_cast<double>(sorted_ns) < part * 0.6e6; seed++) {
      std::vector<unsigned> keys(512);
      for (unsigned i = 0; i < keys.size(); i++) keys[i] = (i + seed) * 2654435761u;
      const uint64_t start = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
      qsort(keys.data(), keys.size(), sizeof keys[0], compare_keys);
      sorted_ns += truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) - start;
    }
    sorting.Add(sorted_ns);
    truth::Timed timed(plain);
    plain_work(truth::Iterations(part * 0.4));
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  compare_iterations = truth::Iterations(0.02);
  sort_region(static_cast<double>(truth::Argument(argc, argv, 1, 5000)));
  sorting.Print();
  plain.Print();
  truth::PrintProcess();
  return 0;
}

// Three functions with 50, 30 and 20 percent of the CPU time, called by every thread of one parallel region.
//   flat [CPU_MS] [ROUNDS]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(work_a)
TRUTH_WORK(work_b)
TRUTH_WORK(work_c)

static truth::Account a("function", "work_a"), b("function", "work_b"), c("function", "work_c");

TRUTH_FUNCTION void flat_region(double ms, long rounds) {
#pragma omp parallel
  {
    const double part = ms / static_cast<double>(rounds) / omp_get_num_threads();
    for (long round = 0; round < rounds; round++) {
      {
        truth::Timed timed(a);
        work_a(truth::Iterations(part * 0.5));
      }
      {
        truth::Timed timed(b);
        work_b(truth::Iterations(part * 0.3));
      }
      {
        truth::Timed timed(c);
        work_c(truth::Iterations(part * 0.2));
      }
    }
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  flat_region(static_cast<double>(truth::Argument(argc, argv, 1, 5000)), truth::Argument(argc, argv, 2, 10));
  a.Print();
  b.Print();
  c.Print();
  truth::PrintProcess();
  return 0;
}

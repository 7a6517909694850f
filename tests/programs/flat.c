/* Three functions with 50, 30 and 20 percent of the CPU time, called by every thread of a parallel region of main.
 *   flat [CPU_MS] */
#include <omp.h>

#include "truth_c.h"

TRUTH_WORK(work_a)
TRUTH_WORK(work_b)
TRUTH_WORK(work_c)

static struct account a = {"function", "work_a", 0}, b = {"function", "work_b", 0}, c = {"function", "work_c", 0};

int main(int argc, char** argv) {
  const double ms = truth_argument(argc, argv, 1, 5000);
  truth_iterations(1);
#pragma omp parallel
  {
    const int rounds = 10;
    const double part = ms / rounds / omp_get_num_threads();
    for (int round = 0; round < rounds; round++) {
      uint64_t start = truth_thread_ns();
      work_a(truth_iterations(part * 0.5));
      truth_add_since(&a, start);
      start = truth_thread_ns();
      work_b(truth_iterations(part * 0.3));
      truth_add_since(&b, start);
      start = truth_thread_ns();
      work_c(truth_iterations(part * 0.2));
      truth_add_since(&c, start);
    }
  }
  truth_print(&a);
  truth_print(&b);
  truth_print(&c);
  truth_print_process();
  return 0;
}

/* A region inside a region, each entered from two functions: 70 and 30 percent outside, 60 and 40 inside. The functions
 * are static and the compiler may clone them. Wants OMP_MAX_ACTIVE_LEVELS=2.
 *   nested [CPU_MS] */
#include <omp.h>

#include "truth_c.h"

TRUTH_WORK(nested_work)

static struct account accounts[2][2] = {{{"path", "main;outer_a;outer_region;inner_x;inner_region;nested_work", 0},
                                         {"path", "main;outer_a;outer_region;inner_y;inner_region;nested_work", 0}},
                                        {{"path", "main;outer_b;outer_region;inner_x;inner_region;nested_work", 0},
                                         {"path", "main;outer_b;outer_region;inner_y;inner_region;nested_work", 0}}};

static __attribute__((noinline)) void inner_region(double ms, struct account* account, int threads) {
#pragma omp parallel num_threads(threads)
  {
    const uint64_t start = truth_thread_ns();
    nested_work(truth_iterations(ms / omp_get_num_threads()));
    truth_add_since(account, start);
  }
  TRUTH_NO_TAIL_CALL();
}

static __attribute__((noinline)) void inner_x(double ms, struct account* account) {
  inner_region(ms, account, 2);
  TRUTH_NO_TAIL_CALL();
}

/* no_icf: not folded with inner_x, which does the same. */
static __attribute__((noinline, no_icf)) void inner_y(double ms, struct account* account) {
  inner_region(ms, account, 2);
  TRUTH_NO_TAIL_CALL();
}

static __attribute__((noinline)) void outer_region(double ms, struct account* pair, int threads) {
#pragma omp parallel num_threads(threads)
  {
    const double part = ms / omp_get_num_threads();
    inner_x(part * 0.6, &pair[0]);
    inner_y(part * 0.4, &pair[1]);
  }
  TRUTH_NO_TAIL_CALL();
}

static __attribute__((noinline)) void outer_a(double ms) {
  outer_region(ms, accounts[0], 2);
  TRUTH_NO_TAIL_CALL();
}

static __attribute__((noinline, no_icf)) void outer_b(double ms) {
  outer_region(ms, accounts[1], 2);
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  const double ms = truth_argument(argc, argv, 1, 5000) / 2;
  truth_iterations(1);
  for (int round = 0; round < 2; round++) {
    outer_a(ms * 0.7);
    outer_b(ms * 0.3);
  }
  for (int i = 0; i < 4; i++) truth_print(&accounts[i / 2][i % 2]);
  truth_print_process();
  return 0;
}

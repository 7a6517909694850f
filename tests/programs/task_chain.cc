// Tasks within tasks, thousands deep: each task creates a task and waits for it. The innermost task works.
//   task_chain [CPU_MS [DEPTH]]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(innermost_work)

static truth::Account account("path", "main;chain_region;innermost_work");

TRUTH_FUNCTION void chain(int depth, uint64_t iterations) {
  if (depth == 0) {
    truth::Timed timed(account);
    innermost_work(iterations);
    TRUTH_NO_TAIL_CALL();
    return;
  }
#pragma omp task firstprivate(depth, iterations)
  {
    chain(depth - 1, iterations);
    TRUTH_NO_TAIL_CALL();
  }
#pragma omp taskwait
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void chain_region(int depth, uint64_t iterations) {
  // Its primary executes the chain, whose outermost frames are main's.
#pragma omp parallel num_threads(2)
#pragma omp master
  chain(depth, iterations);
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 2000));
  chain_region(static_cast<int>(truth::Argument(argc, argv, 2, 3000)), truth::Iterations(ms));
  account.Print();
  truth::PrintProcess();
  return 0;
}

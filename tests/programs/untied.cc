// Untied tasks within untied tasks. Each waits for the tasks that it created, or yields to others. LLVM's libomp 14
// then shows chains of tasks that lead back into themselves. A task that goes on within a task that it scheduled is
// both around and within that task.
//   untied [CPU_MS]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(fib_work)
TRUTH_WORK(block_work)

static truth::Account fibonacci("path", "main;solve;fib;fib_work"), blocks("path", "main;solve;block;block_work");

static uint64_t piece;  // iterations of a leaf

// A task's own parts lie between the scheduling points that are written in it. A runtime may put the task off between
// two parts.
TRUTH_FUNCTION void fib(int n) {
#pragma omp task untied
  {
    if (n < 2) {
      truth::Timed timed(fibonacci);
      fib_work(piece);
    } else {
      fib(n - 1);
#pragma omp taskyield
      fib(n - 2);
#pragma omp taskwait
    }
  }
  TRUTH_NO_TAIL_CALL();
}

// A blocked LU: the blocks of each step are tasks, whose halves are tasks again.
TRUTH_FUNCTION void block(int depth) {
  for (int i = 0; i < 2; i++) {
#pragma omp task untied
    {
#pragma omp taskyield
      if (depth == 1) {
        truth::Timed timed(blocks);
        block_work(piece);
      } else {
        block(depth - 1);
#pragma omp taskwait
      }
    }
#pragma omp taskyield
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void solve() {
#pragma omp parallel
#pragma omp single
  {
    fib(10);   // 89 leaves
    block(6);  // 64 leaves
  }
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 2000));
  constexpr int kRounds = 20;
  piece = truth::Iterations(ms / kRounds / (89 + 64));
  for (int round = 0; round < kRounds; round++) solve();
  fibonacci.Print();
  blocks.Print();
  truth::PrintProcess();
  return 0;
}

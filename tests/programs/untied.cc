// Untied tasks within untied tasks, each of which waits for those that it created or yields to others. LLVM's libomp 14
// then shows chains of tasks that lead back into themselves: a task that goes on within one that it has scheduled is
// both around and within that one.
//   untied [CPU_MS]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(fib_work)
TRUTH_WORK(block_work)

static truth::Account fibonacci("path", "main;solve;fib;fib_work"), blocks("path", "main;solve;block;block_work");

static uint64_t piece;  // iterations of a leaf

// A task's own parts, between which it may be put off, are those between the scheduling points that are written in it.
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

// As in a blocked LU: each step's blocks are tasks, whose halves are tasks again.
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

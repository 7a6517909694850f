// Functions and bodies of regions whose last act is a jump into the runtime. Their frames are gone when the thread
// executes tasks there. Compiled with -foptimize-sibling-calls.
//   jumps [CPU_MS]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(barrier_work)
TRUTH_WORK(fork_work)
TRUTH_WORK(many_forks_work)
TRUTH_WORK(depend_work)

static truth::Account at_barrier("path", "main;barrier_last;barrier_work"), at_fork("path", "main;fork_last;fork_work"),
    many_forks("path", "main;many_forks_last;many_forks_work"), with_depend("path", "main;depend_last;depend_work");

static uint64_t piece;  // iterations of a task
static constexpr int kTasks = 20;

// The body ends with a barrier.
TRUTH_FUNCTION void barrier_last() {
#pragma omp parallel
  {
#pragma omp single nowait
    for (int i = 0; i < kTasks; i++) {
#pragma omp task
      {
        truth::Timed timed(at_barrier);
        barrier_work(piece);
      }
    }
#pragma omp barrier
  }
}

// The function ends with its region, whose body is short.
TRUTH_FUNCTION void fork_last() {
#pragma omp parallel
#pragma omp single nowait
  for (int i = 0; i < kTasks; i++) {
#pragma omp task
    {
      truth::Timed timed(at_fork);
      fork_work(piece);
    }
  }
}

// Likewise, with another region before.
TRUTH_FUNCTION void many_forks_last() {
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads++;
  const uint64_t size = threads > 0 ? piece : 0;
#pragma omp parallel
#pragma omp single nowait
  for (int i = 0; i < kTasks; i++) {
#pragma omp task firstprivate(size)
    {
      truth::Timed timed(many_forks);
      many_forks_work(size);
    }
  }
}

// The creator's frame, which LLVM's runtime keeps for such a task, may lie where the task's frames are.
TRUTH_FUNCTION void depend_last() {
  static char cells[kTasks];  // gcc does not count a depend clause as a use
  cells[0] = 0;
#pragma omp parallel
#pragma omp single nowait
  for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : cells[i % 8])
    {
      truth::Timed timed(with_depend);
      depend_work(piece);
    }
  }
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 2000));
  constexpr int kRounds = 10;
  piece = truth::Iterations(ms / kRounds / (4 * kTasks));
  for (int round = 0; round < kRounds; round++) {
    barrier_last();
    fork_last();
    many_forks_last();
    depend_last();
  }
  at_barrier.Print();
  at_fork.Print();
  many_forks.Print();
  with_depend.Print();
  truth::PrintProcess();
  return 0;
}

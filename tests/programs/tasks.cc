// Tasks made in two functions, with 70 and 30 percent of the work. Any free thread runs them, long after both functions
// have returned.
//   tasks [CPU_MS]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(task_work)

static truth::Account a("path", "create_a;task_work"), b("path", "create_b;task_work");

constexpr int kTasks = 25;

TRUTH_FUNCTION void create_a(double ms) {
  for (int i = 0; i < kTasks; i++) {
#pragma omp task
    {
      truth::Timed timed(a);
      task_work(truth::Iterations(ms / kTasks));
    }
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void create_b(double ms) {
  for (int i = 0; i < kTasks; i++) {
#pragma omp task
    {
      truth::Timed timed(b);
      task_work(truth::Iterations(ms / kTasks));
    }
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void tasks_region(double ms) {
#pragma omp parallel
#pragma omp single
  {
    create_a(ms * 0.7);
    create_b(ms * 0.3);
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 5000));
  for (int round = 0; round < 2; round++) tasks_region(ms / 2);
  a.Print();
  b.Print();
  truth::PrintProcess();
  return 0;
}

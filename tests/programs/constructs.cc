// Work under constructs other than parallel regions and plain tasks. These are teams and target constructs, which the
// host executes, and tasks that runtimes treat specially. Each construct has a tenth of the work.
//   constructs [CPU_MS]
#include <omp.h>

#include "truth.h"

TRUTH_WORK(construct_work)

static truth::Account accounts[] = {
    {"path", "main;in_teams;construct_work"},           {"path", "main;in_nested_teams;construct_work"},
    {"path", "main;in_distribute;construct_work"},      {"path", "main;in_target;construct_work"},
    {"path", "main;in_target_teams;construct_work"},    {"path", "main;in_dependent_tasks;construct_work"},
    {"path", "main;in_waiting_task;construct_work"},    {"path", "main;in_taskloop;construct_work"},
    {"path", "main;in_undeferred_task;construct_work"}, {"path", "main;in_final_task;construct_work"},
};

static void Work(int account, double ms) {
  truth::Timed timed(accounts[account]);
  construct_work(truth::Iterations(ms));
}

TRUTH_FUNCTION void in_teams(double ms) {
#pragma omp teams num_teams(2)
  Work(0, ms / omp_get_num_teams());
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void in_nested_teams(double ms) {
#pragma omp teams num_teams(2)
#pragma omp parallel
  Work(1, ms / omp_get_num_teams() / omp_get_num_threads());
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void in_distribute(double ms) {
#pragma omp teams distribute parallel for num_teams(2)
  for (int i = 0; i < 8; i++) Work(2, ms / 8);
  TRUTH_NO_TAIL_CALL();
}

// A function that a target construct calls by name would have to be compiled for devices as well.
TRUTH_FUNCTION void in_target(double ms, void (*work)(int, double)) {
#pragma omp target
  work(3, ms);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void in_target_teams(double ms, void (*work)(int, double)) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 8; i++) work(4, ms / 8);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void in_dependent_tasks(double ms) {
#pragma omp parallel
#pragma omp single
  {
    [[maybe_unused]] int turn[2] = {0, 0};
    for (int i = 0; i < 8; i++) {
#pragma omp task depend(inout : turn[i % 2])
      Work(5, ms / 8);
    }
  }
  TRUTH_NO_TAIL_CALL();
}

// A task with dependences, which waits for a task that it makes.
TRUTH_FUNCTION void in_waiting_task(double ms) {
#pragma omp parallel
#pragma omp single
  {
    [[maybe_unused]] int turn = 0;
    for (int i = 0; i < 4; i++) {
#pragma omp task depend(inout : turn)
      {
#pragma omp task
        Work(6, ms / 12);
        Work(6, ms / 12);
#pragma omp taskwait
        Work(6, ms / 12);
      }
    }
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void in_taskloop(double ms) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 8; i++) Work(7, ms / 8);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void in_undeferred_task(double ms) {
#pragma omp parallel
#pragma omp single
  {
    [[maybe_unused]] int turn = 0;
#pragma omp task if (0)
    Work(8, ms / 2);
#pragma omp task if (0) depend(inout : turn)
    Work(8, ms / 2);
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void in_final_task(double ms) {
#pragma omp parallel
#pragma omp single
#pragma omp task final(1)
  {
    Work(9, ms / 2);
#pragma omp task
    Work(9, ms / 2);
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 5000)) / 10;
  truth::Iterations(1);
  in_teams(ms);
  in_nested_teams(ms);
  in_distribute(ms);
  in_target(ms, Work);
  in_target_teams(ms, Work);
  in_dependent_tasks(ms);
  in_waiting_task(ms);
  in_taskloop(ms);
  in_undeferred_task(ms);
  in_final_task(ms);
  for (const truth::Account& account : accounts) account.Print();
  truth::PrintProcess();
  return 0;
}

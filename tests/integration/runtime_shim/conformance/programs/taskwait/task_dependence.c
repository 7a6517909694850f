// A taskwait with depend clauses, and a target construct, wait for the tasks that touch the same addresses. The tasks
// are blocked until the pair has been reported.
//
// RUNTIMES: gomp because clang 14 has no taskwait with depend clauses
// RUN: CONFORMANCE_WITHOUT=target_emi,target_submit_emi
#include <omp.h>

#include "conformance.h"

int main(void) {
  int x = 0, y = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp task depend(out : x)
    conf_settle();
#pragma omp taskwait depend(in : x)
#pragma omp task depend(out : y)
    conf_settle();
#pragma omp target depend(in : y) map(to : y)
    (void)y;
  }
  return x;
}

// OTHERS: ignored
// EXPECT(initial): task_create new_task=$A flags=explicit
// EXPECT(initial): task_create new_task=$B flags=taskwait+undeferred+mergeable
// EXPECT(initial): task_dependence source=$A sink=$B
// EXPECT(initial): task_create new_task=$C flags=explicit
// EXPECT(initial): task_create new_task=$D flags=target+undeferred
// EXPECT(initial): task_dependence source=$C sink=$D
// COUNT: task_dependence == 2

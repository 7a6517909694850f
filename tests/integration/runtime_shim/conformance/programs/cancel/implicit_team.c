// A task with dependences outside of all regions is thrown away if its taskgroup is cancelled before it starts,
// provided that libgomp defers it.
// RUNTIMES: gomp because libomp runs all tasks at once there
// RUN: OMP_CANCELLATION=true
#include "conformance.h"

int main(void) {
  int x = 0, d = 0;
#pragma omp taskgroup task_reduction(+ : x)
  {
#pragma omp task depend(out : d)
    conf_mark("wrong");
#pragma omp task if (0)
    {
#pragma omp cancel taskgroup
    }
  }
  conf_mark("behind");
  return d;
}

// COUNT: mark name=wrong == 0
// COUNT: task_create flags=explicit == 1
// COUNT: task_create flags=explicit+undeferred == 1
// COUNT: cancel flags=taskgroup+activated == 1
// COUNT: cancel flags=taskgroup+discarded_task == 1
// COUNT: mark name=behind state=work_serial == 1

// Without OMP_CANCELLATION a cancel construct does nothing, and nothing is reported.
#include "conformance.h"

int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp cancel taskgroup
        conf_mark("goes on");
      }
    }
#pragma omp cancel parallel
    conf_mark("goes on");
  }
  return 0;
}

// COUNT: cancel == 0
// COUNT: mark name=goes_on == 4
// COUNT: task_schedule status=cancel == 0
// COUNT: task_schedule status=complete == 2

// A loop whose reduction has the task modifier. libgomp waits for the tasks in a barrier of its own after the loop's
// barrier.
// RUNTIMES: gomp because libomp 14 ends the loop's tasks in a taskgroup
#include <stdio.h>

#include "conformance.h"

int main(void) {
  int x = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for reduction(task, + : x)
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : x)
      x += i;
    }
    conf_mark("behind");
  }
  printf("%d\n", x);
  return 0;
}

// STDOUT: 45
// COUNT: sync_region kind=barrier_implementation endpoint=begin state=wait_barrier_implementation == 2
// COUNT: sync_region_wait kind=barrier_implementation endpoint=end == 2
// COUNT: mark name=behind state=work_parallel now_enter=0 == 2
// COUNT: task_create == 10
// COUNT: task_schedule status=complete == 10

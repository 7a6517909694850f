// A taskgroup with task_reduction. gcc's code adds up the copies between the group's end and the call that unregisters
// them: that call is the reduction. An inner taskgroup without one reduces nothing.
// RUNTIMES: gomp because libomp 14 adds up within the taskgroup's end, and reports nothing of it
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

int main(void) {
  int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : x)
  {
#pragma omp task in_reduction(+ : x)
    x += 3;
#pragma omp taskgroup
#pragma omp task in_reduction(+ : x)
    x += 4;
  }
#pragma omp parallel num_threads(2) reduction(task, + : x)
  {
#pragma omp task in_reduction(+ : x)
    x++;
  }
  printf("%d\n", x);
  return 0;
}

// STDOUT: 9
// COUNT: reduction endpoint=begin kind=reduction == 2
// COUNT: reduction endpoint=end kind=reduction state=work_parallel|work_serial == 2
// COUNT: sync_region kind=taskgroup endpoint=begin == 2
// COUNT: sync_region_wait kind=taskgroup endpoint=end == 2

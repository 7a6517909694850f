// Three active levels of two threads: eight innermost threads, each with four tasks above one another.
// RUN: OMP_MAX_ACTIVE_LEVELS=3
#include "conformance.h"

int main() {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  conf_mark("third");
  return 0;
}

// COUNT: parallel_begin requested=2 == 7
// COUNT: parallel_end == 7
// COUNT: implicit_task endpoint=begin flags=implicit team_size=2 == 14
// COUNT: mark name=third state=work_parallel == 8
// COUNT[gomp implicit-task-is-undeferred]: task_info name=third level=0 flags=implicit enter=0 result=2 == 8
// COUNT[libomp implicit-task-is-undeferred]: task_info name=third level=0 flags=implicit+undeferred enter=0 result=2 == 8
// COUNT: task_info name=third level=2 exit!=0 enter!=0 == 8
// COUNT: task_info name=third level=3 flags=initial exit=0 enter!=0 == 8
// COUNT: task_info name=third level=4 == 0
// COUNT: parallel_info name=third level=3 team_size=1 == 8
// COUNT: parallel_info name=third level=4 == 0
// COUNT: dirty == 0

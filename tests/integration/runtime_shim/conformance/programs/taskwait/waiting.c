// The state of a thread that waits in a taskwait, and at the end of a taskgroup, for a task that another thread runs.
// RUN: OMP_MAX_ACTIVE_LEVELS=1
#include <omp.h>

#include "conformance.h"

int main(void) {
  int started = 0, waits = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp task
    {
      conf_raise(&started);
      conf_await(&waits, 1);
      conf_settle();
      conf_probe("in taskwait");
    }
    conf_await(&started, 1);
    conf_raise(&waits);
#pragma omp taskwait
#pragma omp taskgroup
    {
#pragma omp task
      {
        conf_raise(&started);
        conf_await(&waits, 2);
        conf_settle();
        conf_probe("in taskgroup");
      }
      conf_await(&started, 2);
      conf_raise(&waits);
    }
    conf_mark("behind");
  }
  return 0;
}

// OTHERS: ignored
// IGNORE: parallel_info
// EXPECT(initial)[gomp late-states]: mark name=in_taskwait state=wait_taskwait state_wait_id=0 now_task=$T
// EXPECT(initial)[libomp late-states]: mark name=in_taskwait now_task=$T
// EXPECT(initial): task_info level=0 task=$T exit=$X enter=$E {E < X}
// EXPECT(initial): task_info level=1 flags=initial
// EXPECT(initial)[gomp late-states]: mark name=in_taskgroup state=wait_taskgroup state_wait_id=0 now_task=$T
// EXPECT(initial)[libomp late-states]: mark name=in_taskgroup now_task=$T
// EXPECT(initial)[gomp late-states]: task_info level=0 task=$T exit=$X enter=$F {F < X}
// EXPECT(initial)[libomp late-states]: task_info level=0 task=$T
// EXPECT(initial): task_info level=1 flags=initial
// EXPECT(initial): mark name=behind state=work_parallel now_enter=0
// EXPECT(initial): task_info level=0 task=$T
// EXPECT(initial): task_info level=1

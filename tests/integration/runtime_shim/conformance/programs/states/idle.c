// A worker between regions is idle and in no task, from the end of its team's region on. While the region goes on, the
// worker waits in the region's barrier, in its task.
#include <omp.h>

#include "conformance.h"

int main(void) {
  int arrived = 0;
#pragma omp parallel num_threads(2)
  {
    conf_raise(&arrived);
    if (omp_get_thread_num() == 0) {
      conf_await(&arrived, 2);
      conf_settle();
      conf_probe("at the end");
    }
  }
  conf_probe("idle at once");
  conf_settle();
  conf_probe("idle");
#pragma omp parallel num_threads(2)
  conf_mark("back");
  return 0;
}

// VARIANTS: | -O2
// EXPECT(initial): mark name=back
// EXPECT(initial): task_info level=0
// EXPECT(initial): task_info level=1
// EXPECT(worker)[gomp idle-workers]: mark name=at_the_end state=wait_barrier_implicit_parallel now_task=$W
// EXPECT(worker)[gomp idle-workers]: task_info level=0 task=$W exit=0 index=1
// EXPECT(worker)[gomp idle-workers]: task_info level=1 flags=initial
// EXPECT(worker)[gomp idle-workers]: mark name=idle_at_once state=idle now_task=absent
// EXPECT(worker)[gomp idle-workers]: mark name=idle state=idle now_task=absent
// EXPECT(worker)[libomp idle-workers]: mark name=at_the_end state=wait_barrier_implicit
// EXPECT(worker)[libomp idle-workers]: task_info level=0
// EXPECT(worker)[libomp idle-workers]: task_info level=1
// EXPECT(worker)[libomp idle-workers]: mark name=idle_at_once
// EXPECT(worker)[libomp idle-workers]: task_info level=0
// EXPECT(worker)[libomp idle-workers]: task_info level=1
// EXPECT(worker)[libomp idle-workers]: mark name=idle state=wait_barrier_implicit
// EXPECT(worker)[libomp idle-workers]: task_info level=0
// EXPECT(worker)[libomp idle-workers]: task_info level=1
// EXPECT(worker): mark name=back state=work_parallel
// EXPECT(worker): task_info level=0
// EXPECT(worker): task_info level=1

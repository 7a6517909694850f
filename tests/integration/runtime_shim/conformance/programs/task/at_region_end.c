// A worker that has arrived at the end of its region runs a task there, and a region within the task. It is not idle.
// Its implicit task is the task that the explicit task interrupts. Its barrier ends after the task, once.
// RUN: OMP_MAX_ACTIVE_LEVELS=2
#include <omp.h>

#include "conformance.h"

int main(void) {
  int arrived = 0, ran = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    conf_await(&arrived, 1);
    conf_settle();
    conf_probe("waiting");
#pragma omp task
    {
      conf_mark("in the task");
#pragma omp parallel num_threads(2)
      if (omp_get_thread_num() == 0) conf_mark("in the inner region");
      conf_mark("in the task again");
      conf_raise(&ran);
    }
    conf_await(&ran, 1);
    conf_settle();
    conf_probe("waiting again");
  } else {
    conf_raise(&arrived);
  }
  conf_probe("idle");
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) conf_mark("next");
  return 0;
}

// OTHERS: ignored
// IGNORE: parallel_info
// EXPECT(worker): implicit_task endpoint=begin parallel=$P task=$W
// EXPECT(worker): sync_region endpoint=begin task=$W
// EXPECT(worker): mark name=waiting state=wait_barrier_implicit|wait_barrier_implicit_parallel now_task=$W
// EXPECT(worker): task_info level=0 task=$W
// EXPECT(worker): task_info level=1 flags=initial
// EXPECT(worker): task_schedule prior=$W status=switch next=$N
// EXPECT(worker): mark name=in_the_task sp=$S state=work_parallel now_task=$N now_parallel=$P now_thread_num=1
// EXPECT(worker): task_info level=0 flags=explicit task=$N exit=$X enter=0 {S < X}
// EXPECT(worker): task_info level=1 task=$W
// EXPECT(worker): task_info level=2 flags=initial
// EXPECT(worker): implicit_task endpoint=begin parallel=$Q task=$V index=0
// EXPECT(worker): mark name=in_the_inner_region state=work_parallel now_task=$V now_parallel=$Q
// EXPECT(worker): task_info level=0 task=$V
// EXPECT(worker): task_info level=1 task=$N enter=$E {E < X}
// EXPECT(worker): task_info level=2 task=$W
// EXPECT(worker): task_info level=3 flags=initial
// EXPECT(worker): sync_region endpoint=begin task=$V
// EXPECT(worker): sync_region endpoint=end task=$V
// EXPECT(worker): implicit_task endpoint=end task=$V
// EXPECT(worker): mark name=in_the_task_again state=work_parallel now_task=$N now_enter=0
// EXPECT(worker): task_info level=0 task=$N
// EXPECT(worker): task_info level=1 task=$W
// EXPECT(worker): task_info level=2
// EXPECT(worker): task_schedule prior=$N status=complete next=$W
// EXPECT(worker): mark name=waiting_again state=wait_barrier_implicit|wait_barrier_implicit_parallel now_task=$W
// EXPECT(worker): task_info level=0 task=$W
// EXPECT(worker): task_info level=1 flags=initial
// EXPECT(worker)[gomp idle-workers]: mark name=idle state=idle
// EXPECT(worker)[libomp idle-workers]: ? mark name=idle
// EXPECT(worker)[libomp idle-workers]: * task_info
// EXPECT(worker): sync_region endpoint=end task=$W
// EXPECT(worker): implicit_task endpoint=end task=$W
// EXPECT(worker)[libomp idle-workers]: ? mark name=idle
// EXPECT(worker)[libomp idle-workers]: * task_info
// EXPECT(worker): implicit_task endpoint=begin
// EXPECT(worker): mark name=next state=work_parallel
// EXPECT(worker): * task_info
// EXPECT(worker): sync_region endpoint=begin
// EXPECT(worker): * sync_region endpoint=end
// EXPECT(worker): * implicit_task endpoint=end

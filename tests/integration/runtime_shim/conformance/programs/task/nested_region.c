// A region within a task: the task encounters the region, and goes on after it.
// RUN: OMP_MAX_ACTIVE_LEVELS=2
#include <omp.h>

#include "conformance.h"

int main(void) {
  int done = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp task
    {
#pragma omp parallel num_threads(2)
      if (omp_get_thread_num() == 0) conf_mark("inside");
      conf_mark("behind");
    }
#pragma omp taskwait
    conf_raise(&done);
  } else {
    conf_await(&done, 1);
  }
  return 0;
}

// OTHERS: ignored
// IGNORE: parallel_info
// EXPECT(initial): parallel_begin task=$I parallel=$P
// EXPECT(initial): task_create task=$T new_task=$N
// EXPECT(initial): task_schedule prior=$T status=switch next=$N
// EXPECT(initial): parallel_begin task=$N parallel=$Q frame_exit=$X frame_enter=$E {E < X}
// EXPECT(initial): mark name=inside state=work_parallel now_parallel=$Q
// EXPECT(initial): task_info level=0 flags=implicit|implicit+undeferred parallel=$Q exit=$Y {Y <= E}
// EXPECT(initial): task_info level=1 flags=explicit task=$N parallel=$P exit=$X enter=$E
// EXPECT(initial): task_info level=2 flags=implicit|implicit+undeferred task=$T parallel=$P
// EXPECT(initial): task_info level=3 flags=initial task=$I
// EXPECT(initial): parallel_end parallel=$Q task=$N
// EXPECT(initial): mark name=behind state=work_parallel now_task=$N now_parallel=$P now_enter=0 now_exit=$X
// EXPECT(initial): task_info level=0 task=$N
// EXPECT(initial): task_info level=1 task=$T
// EXPECT(initial): task_info level=2 task=$I
// EXPECT(initial): task_schedule prior=$N status=complete next=$T
// EXPECT(initial): parallel_end parallel=$P task=$I

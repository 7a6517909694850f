// Tasks, and a tool that does not listen to their creation or scheduling. A sampling tool sees the same as otherwise.
// Tasks of if (0), and tasks in a final task, are undeferred. Of the many tasks at the end, libgomp runs those at once
// that would exceed 64 for each thread.
// VARIANTS: -O0 | -O2 | -O2 -fomit-frame-pointer
// RUNTIMES: gomp because the shim alone has other wrappers then
// RUN: CONFORMANCE_WITHOUT=task_create,task_schedule,sync_region,sync_region_wait
#include <omp.h>

#include "conformance.h"

int main(void) {
  int done = 0, value = 3, started = 0, sum = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp task firstprivate(value)
    {
      conf_mark("deferred");
      if (value != 3) conf_mark("wrong");
#pragma omp task firstprivate(value) untied
      conf_mark(value == 3 ? "nested" : "wrong");
#pragma omp taskwait
      conf_mark("deferred again");
    }
#pragma omp taskwait
    conf_mark("behind");
#pragma omp task if (0)
    conf_mark("undeferred");
#pragma omp task final(1) shared(value) if (0)
    {
#pragma omp task shared(value)
      conf_mark(value == 3 ? "in final" : "wrong");
    }
    conf_mark("many");
    for (int i = 0; i < 1000; i++) {
#pragma omp task firstprivate(i) shared(sum)
      {
#pragma omp atomic
        sum += i;
      }
    }
#pragma omp taskwait
    conf_mark(sum == 499500 ? "sum" : "wrong");
    conf_raise(&done);
  } else {
    conf_raise(&started);
    conf_await(&done, 1);
  }
  return 0;
}

// IGNORE: parallel_info
// OTHERS: ignored
// EXPECT(initial): mark name=deferred sp=$S state=work_parallel now_task=0 now_enter=0 now_thread_num=0
// EXPECT(initial): task_info level=0 flags=explicit task=0 index=0 exit=$X enter=0 exit_flags=runtime+framepointer {S < X}
// EXPECT(initial): task_info level=1 flags=implicit task=$T exit=$X0 enter=$W {X < W and W < X0}
// EXPECT(initial): task_info level=2 flags=initial task=$I exit=0 enter=$E0 {X0 <= E0}
// EXPECT(initial): mark name=nested sp=$S1 state=work_parallel now_task=0 now_enter=0
// EXPECT(initial): task_info level=0 flags=explicit+untied task=0 exit=$X1 enter=0 {S1 < X1}
// EXPECT(initial): task_info level=1 flags=explicit task=0 exit=$X enter=$W1 {X1 < W1 and W1 < X}
// EXPECT(initial): task_info level=2 flags=implicit task=$T exit=$X0 enter=$W
// EXPECT(initial): task_info level=3 flags=initial task=$I
// EXPECT(initial): mark name=deferred_again state=work_parallel now_task=0 now_enter=0
// EXPECT(initial): task_info level=0 flags=explicit task=0 exit=$X enter=0
// EXPECT(initial): task_info level=1 flags=implicit task=$T exit=$X0 enter=$W
// EXPECT(initial): task_info level=2 flags=initial task=$I
// EXPECT(initial): mark name=behind state=work_parallel now_task=$T now_enter=0
// EXPECT(initial): task_info level=0 flags=implicit task=$T exit=$X0 enter=0
// EXPECT(initial): task_info level=1 flags=initial task=$I
// EXPECT(initial): mark name=undeferred sp=$S2 state=work_parallel now_task=0 now_enter=0
// EXPECT(initial): task_info level=0 flags=explicit+undeferred task=0 exit=$X2 enter=0 {S2 < X2}
// EXPECT(initial): task_info level=1 flags=implicit task=$T exit=$X0 enter=$W2 {X2 < W2 and W2 < X0}
// EXPECT(initial): task_info level=2 flags=initial task=$I
// EXPECT(initial): mark name=in_final state=work_parallel now_task=0 now_enter=0
// EXPECT(initial): task_info level=0 flags=explicit+undeferred+final task=0 exit=$X3 enter=0
// EXPECT(initial): task_info level=1 flags=explicit+undeferred+final task=0 exit=$X4 enter=$W4 {X3 < W4 and W4 < X4}
// EXPECT(initial): task_info level=2 flags=implicit task=$T exit=$X0 enter=$W5 {X4 < W5 and W5 < X0}
// EXPECT(initial): task_info level=3 flags=initial task=$I
// EXPECT(initial): mark name=many state=work_parallel now_task=$T now_enter=0
// EXPECT(initial): task_info level=0 flags=implicit task=$T exit=$X0 enter=0
// EXPECT(initial): task_info level=1 flags=initial task=$I
// EXPECT(initial): mark name=sum state=work_parallel now_task=$T now_enter=0
// EXPECT(initial): task_info level=0 flags=implicit task=$T exit=$X0 enter=0
// EXPECT(initial): task_info level=1 flags=initial task=$I
// COUNT: task_schedule == 0

// A task that is put aside and run at the taskwait: its events, frames, states and ancestors.
// VARIANTS: -O0 | -O2 | -O2 -fomit-frame-pointer
#include <omp.h>

#include "conformance.h"

int main(void) {
  int done = 0, value = 3;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    conf_mark("before");
#pragma omp task firstprivate(value)  // AT(task)
    {
      conf_mark("in the task");
      if (value != 3) conf_mark("wrong");
    }
    conf_mark("between");
#pragma omp taskwait
    conf_mark("behind");
    conf_raise(&done);
  } else {
    conf_await(&done, 1);
  }
  return 0;
}

// IGNORE: parallel_info
// OTHERS: ignored
// EXPECT(initial): mark name=before sp=$S0 state=work_parallel now_task=$T now_parallel=$P
// EXPECT(initial): task_info level=0 flags=implicit|implicit+undeferred task=$T exit=$X0 enter=0
// EXPECT(initial): task_info level=1 flags=initial task=$I
// EXPECT(initial): task_create task=$T frame_exit=$X0 frame_enter=$E frame_exit_flags=runtime+framepointer frame_enter_flags=runtime+framepointer new_task=$N flags=explicit has_dependences=0 codeptr=@task state=work_parallel now_task=$T now_enter=$E {E < X0}
// EXPECT(initial): mark name=between now_task=$T now_enter=0
// EXPECT(initial): task_info level=0 flags=implicit|implicit+undeferred task=$T exit=$X0 enter=0
// EXPECT(initial): task_info level=1 flags=initial task=$I
// EXPECT(initial): task_schedule prior=$T status=switch next=$N now_task=$N now_parallel=$P
// EXPECT(initial): mark name=in_the_task sp=$S state=work_parallel now_task=$N now_parallel=$P now_thread_num=0
// EXPECT(initial): task_info level=0 flags=explicit task=$N parallel=$P index=0 exit=$X enter=0 exit_flags=runtime+framepointer {S < X}
// EXPECT(initial): task_info level=1 flags=implicit|implicit+undeferred task=$T exit=$X0 enter=$W {X < W and W < X0}
// EXPECT(initial): task_info level=2 flags=initial task=$I exit=0 enter=$E0 {X0 <= E0}
// EXPECT(initial): task_schedule prior=$N status=complete next=$T now_exit=0
// EXPECT(initial): mark name=behind state=work_parallel now_task=$T now_enter=0
// EXPECT(initial): task_info level=0 flags=implicit|implicit+undeferred task=$T exit=$X0 enter=0
// EXPECT(initial): task_info level=1 flags=initial task=$I

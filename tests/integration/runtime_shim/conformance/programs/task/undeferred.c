// if(0): created, scheduled and completed where it is encountered.
// VARIANTS: -O0 | -O2
#include <omp.h>

#include "conformance.h"

int main(void) {
  int done = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    conf_mark("before");  // AT(task)
#pragma omp task if (0)   // AT(task)
    conf_mark("in the task");
    conf_mark("behind");
    conf_raise(&done);
  } else {
    conf_await(&done, 1);
  }
  return 0;
}

// OTHERS: ignored
// IGNORE: parallel_info
// EXPECT(initial): mark name=before
// EXPECT(initial): * task_info
// EXPECT(initial)[gomp undeferred-frames]: task_create task=$T new_task=$N flags=explicit+undeferred frame_enter=$E codeptr=@task state=work_parallel {E != 0}
// EXPECT(initial)[libomp undeferred-frames]: task_create task=$T new_task=$N flags=explicit+undeferred codeptr=@task state=work_parallel
// EXPECT(initial): task_schedule prior=$T status=switch next=$N
// EXPECT(initial): mark name=in_the_task sp=$S state=work_parallel now_task=$N
// EXPECT(initial): task_info level=0 flags=explicit+undeferred task=$N exit=$X enter=0
// EXPECT(initial)[gomp undeferred-frames]: task_info level=1 task=$T enter=$E exit=$X0 {S < X and X < E and E < X0}
// EXPECT(initial)[libomp undeferred-frames]: task_info level=1 task=$T
// EXPECT(initial): task_info level=2 flags=initial
// EXPECT(initial): task_schedule prior=$N status=complete next=$T
// EXPECT(initial): mark name=behind state=work_parallel now_task=$T
// EXPECT(initial): task_info level=0 task=$T enter=0
// EXPECT(initial): task_info level=1 flags=initial

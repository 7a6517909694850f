// A taskwait with depend clauses is a task. It is created, and complete when its predecessors are. It is never
// scheduled.
#include <omp.h>

#include "conformance.h"

int main(void) {
  int x = 0, done = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    conf_note("x", (uintptr_t)&x);
#pragma omp task depend(out : x)
    x = 1;
#pragma omp taskwait depend(in : x)  // AT(taskwait)
    conf_mark(x == 1 ? "behind" : "wrong");
    conf_raise(&done);
  } else {
    conf_await(&done, 1);
  }
  return 0;
}

// OTHERS: ignored
// IGNORE: task_info parallel_info
// EXPECT(initial): note name=x value=$X
// EXPECT(initial): task_create task=$T new_task=$A
// EXPECT(initial): dependences task=$A count=1
// EXPECT(initial): dependence task=$A variable=$X type=inout
// EXPECT(initial): task_create task=$T new_task=$W flags=taskwait+undeferred+mergeable has_dependences=1 codeptr=@taskwait
// EXPECT(initial): dependences task=$W count=1
// EXPECT(initial): dependence task=$W variable=$X type=in
// EXPECT(initial): task_schedule prior=$T status=switch next=$A
// EXPECT(initial): task_schedule prior=$A status=complete next=$T
// EXPECT(initial): task_schedule prior=$W status=taskwait_complete next=none
// EXPECT(initial): mark name=behind now_task=$T state=work_parallel now_enter=0

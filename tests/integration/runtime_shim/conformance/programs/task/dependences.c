// depend clauses of every type, in one callback for each task, and the order that they enforce.
#include <omp.h>

#include "conformance.h"

int main(void) {
  int x = 0, y = 0, done = 0;
  omp_depend_t object;
#pragma omp depobj(object) depend(inout : y)
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    conf_note("x", (uintptr_t)&x);
    conf_note("y", (uintptr_t)&y);
#pragma omp task depend(out : x) depend(in : y)
    x++;
#pragma omp task depend(inout : x)
    x++;
#pragma omp task depend(mutexinoutset : x)
    x++;
#pragma omp task depend(depobj : object)
    y++;
#pragma omp task depend(in : x, y) if (0)
    conf_mark(x == 3 && y == 1 ? "in order" : "wrong");
    conf_raise(&done);
  } else {
    conf_await(&done, 1);
  }
#pragma omp depobj(object) destroy
  return 0;
}

// OTHERS: ignored
// IGNORE: task_info parallel_info
// EXPECT(initial): note name=x value=$X
// EXPECT(initial): note name=y value=$Y
// EXPECT(initial): task_create new_task=$A flags=explicit has_dependences=1
// EXPECT(initial): dependences task=$A count=2
// EXPECT(initial): ~ dependence task=$A variable=$X type=inout
// EXPECT(initial): ~ dependence task=$A variable=$Y type=in
// EXPECT(initial): task_create new_task=$B flags=explicit has_dependences=1
// EXPECT(initial): dependences task=$B count=1
// EXPECT(initial): dependence task=$B variable=$X type=inout
// EXPECT(initial): task_create new_task=$C flags=explicit has_dependences=1
// EXPECT(initial): dependences task=$C count=1
// EXPECT(initial): dependence task=$C variable=$X type=mutexinoutset
// EXPECT(initial): task_create new_task=$D flags=explicit has_dependences=1
// EXPECT(initial): dependences task=$D count=1
// EXPECT(initial): dependence task=$D variable=$Y type=inout
// EXPECT(initial)[gomp undeferred-with-depend]: task_create new_task=$F flags=explicit+undeferred has_dependences=1
// EXPECT(initial)[libomp undeferred-with-depend]: task_create new_task=$F flags=taskwait+undeferred+mergeable has_dependences=1
// EXPECT(initial): dependences task=$F count=2
// EXPECT(initial): ~ dependence task=$F variable=$X type=in
// EXPECT(initial): ~ dependence task=$F variable=$Y type=in
// EXPECT(initial)[libomp undeferred-with-depend]: task_create flags=explicit+undeferred has_dependences=0
// EXPECT(initial): mark name=in_order state=work_parallel

// A taskwait with depend clauses and nowait is a task that nobody waits for. It is complete when its predecessors are,
// and never scheduled. The program calls libgomp's function for it, which gcc does since version 14. libgomp before 13
// lacks the name. The shim has it, and needs GOMP_task alone for it.
//
// RUNTIMES: gomp because this is libgomp's entry point
// VARIANTS: -O0 | -O2
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>

#include "conformance.h"

typedef void Nowait(void** depend);

int main(void) {
  int x = 0;
#pragma omp parallel num_threads(1)
  {
    Nowait* nowait = (Nowait*)dlvsym(RTLD_DEFAULT, "GOMP_taskwait_depend_nowait", "GOMP_5.1.1");
    void* depend[] = {(void*)1, (void*)0, &x};  // one address, none of it out: in
    conf_note("x", (uintptr_t)&x);
#pragma omp task depend(out : x) shared(x)
    x = 1;
    nowait(depend);  // AT(taskwait)
    conf_mark(x == 0 ? "goes_on" : "waited");
#pragma omp task depend(inout : x) shared(x)
    x = 2;
#pragma omp taskwait
    conf_mark(x == 2 ? "done" : "wrong");
    // The predecessors have ended: complete at once.
    nowait(depend);
    conf_mark("again");
#pragma omp taskwait
  }
  return 0;
}

// OTHERS: ignored
// IGNORE: task_info parallel_info
// EXPECT(initial): note name=x value=$X
// EXPECT(initial): task_create task=$T new_task=$A
// EXPECT(initial): dependences task=$A count=1
// EXPECT(initial): dependence task=$A variable=$X type=inout
// EXPECT(initial): task_create task=$T new_task=$W flags=taskwait+mergeable has_dependences=1 codeptr=@taskwait frame_enter!=0
// EXPECT(initial): dependences task=$W count=1
// EXPECT(initial): dependence task=$W variable=$X type=in
// EXPECT(initial): task_dependence source=$A sink=$W
// EXPECT(initial): mark name=goes_on now_task=$T state=work_parallel now_enter=0
// EXPECT(initial): task_create task=$T new_task=$B
// EXPECT(initial): dependences task=$B count=1
// EXPECT(initial): dependence task=$B variable=$X type=inout
// EXPECT(initial): task_dependence source=$W sink=$B
// EXPECT(initial): task_schedule prior=$T status=switch next=$A
// EXPECT(initial): task_schedule prior=$A status=complete next=$T
// EXPECT(initial): task_schedule prior=$W status=taskwait_complete next=none
// EXPECT(initial): task_schedule prior=$T status=switch next=$B
// EXPECT(initial): task_schedule prior=$B status=complete next=$T
// EXPECT(initial): mark name=done now_task=$T state=work_parallel
// EXPECT(initial): task_create task=$T new_task=$V flags=taskwait+mergeable has_dependences=1
// EXPECT(initial): dependences task=$V count=1
// EXPECT(initial): dependence task=$V variable=$X type=in
// EXPECT(initial): mark name=again now_task=$T
// EXPECT(initial): task_schedule prior=$V status=taskwait_complete next=none

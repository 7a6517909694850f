// target nowait is a deferred task. It is created here, and begins where the thread waits for it, after the tasks that
// it depends on.
//
// RUNTIMES: gomp because clang compiles a target region for the host alone as a plain call, without the runtime
// VARIANTS: -O0 | -O2
#include <stdio.h>

#include "conformance.h"

int main(void) {
  int value = 1, factor = 7;
#pragma omp parallel num_threads(1)
  {
    conf_note("value", (uint64_t)(uintptr_t)&value);                                      // AT(target)
#pragma omp target nowait map(tofrom : value) firstprivate(factor) depend(inout : value)  // AT(target)
    {
      conf_mark("target");
      value *= factor;
    }
    factor = 0;
    conf_mark("created");
#pragma omp taskwait
  }
  printf("value %d\n", value);
  return 0;
}

// EXPECT(initial): note name=value value=$V
// EXPECT(initial): task_create task=$P new_task=$T flags=target has_dependences=1 codeptr=@target
// EXPECT(initial): dependences task=$T count=1
// EXPECT(initial): dependence task=$T variable=$V type=inout
// EXPECT(initial): mark name=created now_task=$P now_enter=0 state=work_parallel
// EXPECT(initial): task_info level=0 task=$P
// EXPECT(initial): task_info level=1
// EXPECT(initial): task_schedule prior=$P status=switch next=$T state=overhead
// EXPECT(initial): target_emi kind=target_nowait endpoint=begin task=$P target_task=$T target=$R codeptr=@target
// EXPECT(initial): mark name=target state=work_parallel now_flags=initial
// EXPECT(initial): task_info level=0 task=$I flags=initial exit=$X enter=0
// EXPECT(initial): task_info level=1 task=$T flags=target exit=$X enter=$X
// EXPECT(initial): task_info level=2 task=$P enter!=0
// EXPECT(initial): task_info level=3
// EXPECT(initial): target_emi kind=target_nowait endpoint=end task=$P target_task=$T target=$R codeptr=@target
// EXPECT(initial): task_schedule prior=$T status=complete next=$P
// STDOUT: value 7

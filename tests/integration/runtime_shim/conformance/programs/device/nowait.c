// Two deferred target tasks on a device, the second behind the first. A target task begins when libgomp maps its variables:
// at once, or when its dependences are fulfilled. It leaves its thread while the kernel runs, and returns for each
// operation after that.
//
// DEVICES: 1
// VARIANTS: -O0 | -O2
#include <stdio.h>

#include "conformance.h"

int main(void) {
  int value = 2;
#pragma omp parallel num_threads(1)
  {
    conf_note("value", (uint64_t)(uintptr_t)&value);                 // AT(first)
#pragma omp target nowait map(tofrom : value) depend(inout : value)  // AT(first)
    value *= 5;
    conf_note("second", 0);                                          // AT(second)
#pragma omp target nowait map(tofrom : value) depend(inout : value)  // AT(second)
    value += 1;
#pragma omp taskwait
    conf_mark("after");
  }
  printf("value %d\n", value);
  return 0;
}

// OBSERVE: target target_submit
// IGNORE: implicit_task sync_region sync_region_wait dependences dependence
// EXPECT(initial): note name=value value=$V
// EXPECT(initial): task_create task=$P new_task=$A flags=target has_dependences=1 codeptr=@first
// EXPECT(initial): task_schedule prior=$P status=switch next=$A
// EXPECT(initial): target_emi kind=target_nowait endpoint=begin device=0 task=$P target_task=$A target=$R codeptr=@first
// EXPECT(initial): target_submit_emi endpoint=begin target=$R now_task=$A state=wait_target
// EXPECT(initial): target_submit_emi endpoint=end target=$R
// EXPECT(initial): task_schedule prior=$A status=switch next=$P
// EXPECT(initial): note name=second now_task=$P state=work_parallel
// EXPECT(initial): task_create task=$P new_task=$B flags=target has_dependences=1 codeptr=@second
// EXPECT(initial): task_dependence source=$A sink=$B
// EXPECT(initial): task_schedule prior=$P status=switch next=$A state=wait_taskwait
// EXPECT(initial): task_schedule prior=$A status=switch next=$P
// EXPECT(initial): task_schedule prior=$P status=switch next=$A
// EXPECT(initial): target_emi kind=target_nowait endpoint=end device=0 task=$P target_task=$A target=$R now_task=$A
// EXPECT(initial): task_schedule prior=$A status=complete next=$P
// EXPECT(initial): task_schedule prior=$P status=switch next=$B
// EXPECT(initial): target_emi kind=target_nowait endpoint=begin device=0 task=$P target_task=$B target=$S codeptr=@second
// EXPECT(initial): target_submit_emi endpoint=begin target=$S now_task=$B
// EXPECT(initial): target_submit_emi endpoint=end target=$S
// EXPECT(initial): task_schedule prior=$B status=switch next=$P
// EXPECT(initial): task_schedule prior=$P status=switch next=$B
// EXPECT(initial): task_schedule prior=$B status=switch next=$P
// EXPECT(initial): task_schedule prior=$P status=switch next=$B
// EXPECT(initial): target_emi kind=target_nowait endpoint=end device=0 task=$P target_task=$B target=$S now_task=$B
// EXPECT(initial): task_schedule prior=$B status=complete next=$P
// EXPECT(initial): mark name=after now_task=$P state=work_parallel
// EXPECT(initial): task_info level=0 task=$P
// EXPECT(initial): task_info level=1
// STDOUT: value 11

// A target region on the host: the target task, the region, and the initial task that executes it. Also frames, and a
// region of threads inside.
//
// RUNTIMES: gomp because clang compiles a target region for the host alone as a plain call, without the runtime
// VARIANTS: -O0 | -O2 -fomit-frame-pointer | -O2 -fno-omit-frame-pointer
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

int main(void) {
  int value = 1, copy = 2;
  conf_raise(&copy);                                       // AT(target)
#pragma omp target map(tofrom : value) firstprivate(copy)  // AT(target)
  {
    conf_mark("target");             // AT(inner)
#pragma omp parallel num_threads(2)  // AT(inner)
    if (omp_get_thread_num() == 0) conf_mark("thread");
    value += copy;
    copy = 99;
  }
  conf_mark("after");
  printf("value %d copy %d\n", value, copy);
  return 0;
}

// OTHERS: ignored
// OBSERVE: target target_submit task_schedule
// EXPECT(tool): set_callback callback=target_emi result=always
// EXPECT(tool): set_callback callback=target_submit_emi result=always
//
// EXPECT(initial): implicit_task endpoint=begin flags=initial task=$T0 parallel=$P0
// EXPECT(initial): task_create task=$T0 new_task=$T flags=target+undeferred has_dependences=0 codeptr=@target frame_exit=0 frame_enter=$E state=wait_target
// EXPECT(initial): task_schedule prior=$T0 status=switch next=$T now_task=$T0
// EXPECT(initial): target_emi kind=target endpoint=begin device=$D task=$T0 target_task=$T target=$R codeptr=@target now_task=$T
// EXPECT(initial): target_submit_emi endpoint=begin target=$R teams=1 operation=$O now_task=$T
// EXPECT(initial): implicit_task endpoint=begin flags=initial task=$I parallel=$Q team_size=1 index=1
// EXPECT(initial): mark name=target state=work_serial now_task=$I {sp < E}
// EXPECT(initial): task_info level=0 task=$I parallel=$Q flags=initial index=0 exit=$X enter=0 {X < E}
// EXPECT(initial): task_info level=1 task=$T parallel=$P0 flags=target+undeferred exit=$X enter=$X
// EXPECT(initial): task_info level=2 task=$T0 parallel=$P0 flags=initial exit=0 enter=$E
// EXPECT(initial): parallel_begin task=$I parallel=$P requested=2 codeptr=@inner frame_exit=$X frame_enter=$N {N < X}
// EXPECT(initial): implicit_task endpoint=begin parallel=$P task=$M index=0
// EXPECT(initial): mark name=thread state=work_parallel now_task=$M {sp < N}
// EXPECT(initial): task_info level=0 task=$M parallel=$P
// EXPECT(initial): task_info level=1 task=$I exit=$X enter=$N
// EXPECT(initial): task_info level=2 task=$T exit=$X enter=$X
// EXPECT(initial): task_info level=3 task=$T0 exit=0 enter=$E
// EXPECT(initial): implicit_task endpoint=end task=$M
// EXPECT(initial): parallel_end parallel=$P task=$I
// EXPECT(initial): implicit_task endpoint=end flags=initial task=$I parallel=none team_size=0 index=1
// EXPECT(initial): target_submit_emi endpoint=end target=$R teams=1 operation=$O
// EXPECT(initial): target_emi kind=target endpoint=end device=$D task=$T0 target_task=$T target=$R codeptr=@target now_task=$T
// EXPECT(initial): task_schedule prior=$T status=complete next=$T0
// EXPECT(initial): mark name=after state=work_serial now_task=$T0 now_enter=0 {sp > E}
// EXPECT(initial): task_info level=0 task=$T0
// EXPECT(initial): implicit_task endpoint=end flags=initial task=$T0
// STDOUT: value 4 copy 3

// A region of two threads: the events of both, the frames between them, the states.
//
// VARIANTS: -O0 | -O2 -fomit-frame-pointer | -O2 -fno-omit-frame-pointer
#include "conformance.h"

int main(void) {
  int before = 0;
  conf_raise(&before);               // AT(region)
#pragma omp parallel num_threads(2)  // AT(region)
  { conf_mark("inside"); }
  conf_mark("after");
  return 0;
}

// EXPECT(tool): set_callback callback=parallel_begin result=always
// EXPECT(tool): set_callback callback=parallel_end result=always
// EXPECT(tool): set_callback callback=implicit_task result=always
//
// EXPECT(initial): thread_begin type=initial
// EXPECT(initial): implicit_task endpoint=begin flags=initial task=$T0 team_size=1 index=1
// EXPECT(initial): parallel_begin task=$T0 parallel=$P requested=2 flags=invoker_runtime+team codeptr=@region frame_exit=0 frame_enter=$E
// EXPECT(initial): implicit_task endpoint=begin parallel=$P task=$T1 team_size=2 index=0 flags=implicit
// EXPECT(initial): mark name=inside state=work_parallel now_task=$T1 {sp < E}
// The frames of this task's code are younger than exit (level 0), those of the runtime older; the runtime was entered at
// enter (level 1), which no frame of main is younger than.
// EXPECT(initial): task_info level=0 task=$T1 parallel=$P index=0 exit=$X enter=0 {X <= E}
// EXPECT(initial): task_info level=1 task=$T0 flags=initial exit=0 enter=$E
// EXPECT(initial): implicit_task endpoint=end parallel=none task=$T1 index=0 flags=implicit
// EXPECT(initial): parallel_end parallel=$P task=$T0 flags=invoker_runtime+team codeptr=@region
// EXPECT(initial): mark name=after state=work_serial {sp > E}
// EXPECT(initial): task_info level=0 task=$T0 exit=0 enter=0
// EXPECT(initial): * implicit_task endpoint=end flags=initial task=$T0
// EXPECT(initial): thread_end
//
// EXPECT(worker): thread_begin type=worker
// EXPECT(worker): implicit_task endpoint=begin parallel=$P task=$W team_size=2 index=1 flags=implicit
// EXPECT(worker): mark name=inside state=work_parallel now_task=$W {sp < now_exit}
// EXPECT(worker): task_info level=0 task=$W parallel=$P index=1 exit!=0 enter=0
// EXPECT(worker): task_info level=1 task=$T0 enter=$E
// EXPECT(worker): implicit_task endpoint=end parallel=none task=$W index=1
// EXPECT(worker): thread_end

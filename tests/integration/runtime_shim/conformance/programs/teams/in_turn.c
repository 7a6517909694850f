// libgomp runs a league's teams one after another on the encountering thread. The frames and states of each team, of a
// region of threads within, and of the code after it.
//
// RUNTIMES: gomp because libomp runs each team on a thread of its own, inside one more region that the program has not
// VARIANTS: -O0 | -O2 -fomit-frame-pointer | -O2 -fno-omit-frame-pointer
#include <omp.h>

#include "conformance.h"

int main(void) {
  int before = 0;
  conf_raise(&before);                          // AT(league)
#pragma omp teams num_teams(2) thread_limit(2)  // AT(league)
  {
    conf_mark("team");               // AT(inner)
#pragma omp parallel num_threads(2)  // AT(inner)
    if (omp_get_thread_num() == 0) conf_mark("thread");
    conf_mark("team again");
  }
  conf_mark("after");
  return 0;
}

// OTHERS: ignored
//
// EXPECT(initial): implicit_task endpoint=begin flags=initial task=$T0 team_size=1 index=1
// EXPECT(initial): parallel_begin task=$T0 parallel=$L requested=2 flags=invoker_runtime+league codeptr=@league frame_exit=0 frame_enter=$E frame_enter_flags=runtime+framepointer
//
// EXPECT(initial): implicit_task endpoint=begin flags=initial parallel=$L task=$A team_size=2 index=0 now_task=$A
// EXPECT(initial): mark name=team state=work_serial {sp < E}
// EXPECT(initial): task_info level=0 task=$A parallel=$L index=0 flags=initial exit=$XA enter=0 {XA <= E}
// EXPECT(initial): task_info level=1 task=$T0 exit=0 enter=$E
// EXPECT(initial): parallel_info name=team level=0 parallel=$L team_size=2
// EXPECT(initial): parallel_info name=team level=1
// EXPECT(initial): parallel_begin task=$A parallel=$P requested=2 flags=invoker_runtime+team codeptr=@inner frame_exit=$XA frame_enter=$EA {EA < XA}
// EXPECT(initial): implicit_task endpoint=begin parallel=$P task=$MA team_size=2 index=0 flags=implicit
// EXPECT(initial): mark name=thread state=work_parallel {sp < EA}
// EXPECT(initial): task_info level=0 task=$MA parallel=$P exit!=0 enter=0
// EXPECT(initial): task_info level=1 task=$A parallel=$L exit=$XA enter=$EA
// EXPECT(initial): task_info level=2 task=$T0 exit=0 enter=$E
// EXPECT(initial): parallel_info level=0 parallel=$P team_size=2
// EXPECT(initial): parallel_info level=1 parallel=$L team_size=2
// EXPECT(initial): parallel_info level=2
// EXPECT(initial): implicit_task endpoint=end parallel=none task=$MA index=0 flags=implicit
// EXPECT(initial): parallel_end parallel=$P task=$A
// EXPECT(initial): mark name=team_again state=work_serial now_task=$A now_exit=$XA now_enter=0
// EXPECT(initial): task_info level=0 task=$A
// EXPECT(initial): task_info level=1 task=$T0
// EXPECT(initial): parallel_info level=0 parallel=$L
// EXPECT(initial): parallel_info level=1
// EXPECT(initial): implicit_task endpoint=end parallel=none task=$A team_size=0 index=0 flags=initial
//
// EXPECT(initial): implicit_task endpoint=begin flags=initial parallel=$L task=$B team_size=2 index=1 now_task=$B
// EXPECT(initial): mark name=team state=work_serial {sp < E}
// EXPECT(initial): task_info level=0 task=$B parallel=$L index=1 flags=initial exit=$XB enter=0 {XB <= E}
// EXPECT(initial): task_info level=1 task=$T0 exit=0 enter=$E
// EXPECT(initial): parallel_info name=team level=0 parallel=$L team_size=2
// EXPECT(initial): parallel_info name=team level=1
// EXPECT(initial): parallel_begin task=$B parallel=$Q requested=2 flags=invoker_runtime+team codeptr=@inner frame_exit=$XB frame_enter=$EB {EB < XB}
// EXPECT(initial): implicit_task endpoint=begin parallel=$Q task=$MB team_size=2 index=0 flags=implicit
// EXPECT(initial): mark name=thread state=work_parallel {sp < EB}
// EXPECT(initial): task_info level=0 task=$MB parallel=$Q exit!=0 enter=0
// EXPECT(initial): task_info level=1 task=$B parallel=$L exit=$XB enter=$EB
// EXPECT(initial): task_info level=2 task=$T0 exit=0 enter=$E
// EXPECT(initial): parallel_info level=0 parallel=$Q team_size=2
// EXPECT(initial): parallel_info level=1 parallel=$L team_size=2
// EXPECT(initial): parallel_info level=2
// EXPECT(initial): implicit_task endpoint=end parallel=none task=$MB index=0 flags=implicit
// EXPECT(initial): parallel_end parallel=$Q task=$B
// EXPECT(initial): mark name=team_again state=work_serial now_task=$B now_exit=$XB now_enter=0
// EXPECT(initial): task_info level=0 task=$B
// EXPECT(initial): task_info level=1 task=$T0
// EXPECT(initial): parallel_info level=0 parallel=$L
// EXPECT(initial): parallel_info level=1
// EXPECT(initial): implicit_task endpoint=end parallel=none task=$B team_size=0 index=1 flags=initial
//
// EXPECT(initial): parallel_end parallel=$L task=$T0 flags=invoker_runtime+league codeptr=@league
// EXPECT(initial): mark name=after state=work_serial now_task=$T0 now_enter=0 {sp > E}
// EXPECT(initial): task_info level=0 task=$T0
// EXPECT(initial): parallel_info level=0
// EXPECT(initial): implicit_task endpoint=end flags=initial task=$T0

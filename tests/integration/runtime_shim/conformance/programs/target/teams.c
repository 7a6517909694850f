// gcc does not outline teams inside a target region. The program asks for the next team, and the teams' code goes on in
// the region's frame.
//
// RUNTIMES: gomp because clang compiles a target region for the host alone as a plain call, without the runtime
// VARIANTS: -O0 | -O2 -fomit-frame-pointer | -O2 -fno-omit-frame-pointer
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

int main(void) {
  int sum = 0;
  conf_settle();
#pragma omp target teams num_teams(2) map(tofrom : sum)
  {
    conf_mark("team");
    sum += 10 * omp_get_num_teams() + omp_get_team_num();
  }
  printf("sum %d\n", sum);
  return 0;
}

// EXPECT(initial): implicit_task endpoint=begin flags=initial task=$T0
// EXPECT(initial): target_submit_emi endpoint=begin teams=2
// EXPECT(initial): implicit_task endpoint=begin flags=initial task=$I team_size=1 index=1
// EXPECT(initial): parallel_begin task=$I parallel=$L requested=2 flags=invoker_runtime+league frame_exit=$X frame_enter=$E {E < X}
// EXPECT(initial): implicit_task endpoint=begin flags=initial parallel=$L task=$A team_size=2 index=0
// EXPECT(initial): mark name=team state=work_serial now_task=$A
// EXPECT(initial): task_info level=0 task=$A parallel=$L index=0 exit=$N exit_flags=application+cfa enter=0 {E < N and N < X}
// EXPECT(initial): task_info level=1 task=$I exit=$X enter=$N enter_flags=application+cfa
// EXPECT(initial): task_info level=2 flags=target+undeferred exit=$X enter=$X
// EXPECT(initial): task_info level=3 task=$T0
// EXPECT(initial): implicit_task endpoint=end flags=initial parallel=none task=$A team_size=0 index=0
// EXPECT(initial): implicit_task endpoint=begin flags=initial parallel=$L task=$B team_size=2 index=1
// EXPECT(initial): mark name=team state=work_serial now_task=$B
// EXPECT(initial): task_info level=0 task=$B parallel=$L index=1 exit!=0 exit_flags=application+cfa enter=0
// EXPECT(initial): task_info level=1 task=$I
// EXPECT(initial): task_info level=2 flags=target+undeferred
// EXPECT(initial): task_info level=3 task=$T0
// EXPECT(initial): implicit_task endpoint=end flags=initial parallel=none task=$B team_size=0 index=1
// EXPECT(initial): parallel_end parallel=$L task=$I flags=invoker_runtime+league
// EXPECT(initial): implicit_task endpoint=end flags=initial task=$I
// EXPECT(initial): target_submit_emi endpoint=end teams=2
// EXPECT(initial): implicit_task endpoint=end flags=initial task=$T0
// STDOUT: sum 41

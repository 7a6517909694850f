// teams on the host: one region, a league of initial tasks.
//
// VARIANTS: -O0 | -O2
#include "conformance.h"

int main(void) {
  int before = 0;
  conf_raise(&before);                          // AT(league)
#pragma omp teams num_teams(2) thread_limit(1)  // AT(league)
  conf_mark("team");
  return 0;
}

// COUNT: parallel_begin requested=2 flags=invoker_runtime+league codeptr=@league parallel!=0 == 1
// COUNT: parallel_end flags=invoker_runtime+league codeptr=@league == 1
// COUNT: implicit_task endpoint=begin flags=initial team_size=2 index=0 == 1
// COUNT: implicit_task endpoint=begin flags=initial team_size=2 index=1 == 1
// COUNT: implicit_task endpoint=end flags=initial parallel=none team_size=0 index=0 == 1
// COUNT: mark name=team == 2

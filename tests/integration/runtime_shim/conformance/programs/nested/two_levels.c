// A region in a region: every thread of the outer team makes an inner region. Ancestors by get_task_info and
// get_parallel_info, and frames of the threads that lead both teams.
// RUN: OMP_MAX_ACTIVE_LEVELS=2
// VARIANTS: -O0 | -O2 -fomit-frame-pointer | -O2 -fno-omit-frame-pointer
#include "conformance.h"

int main(void) {
  int inside = 0;
  conf_state();                      // AT(outer)
#pragma omp parallel num_threads(2)  // AT(outer)
  {
    conf_mark("outer");              // AT(inner)
#pragma omp parallel num_threads(2)  // AT(inner)
    {
      conf_mark("inner");
      conf_raise(&inside);
      conf_await(&inside, 4);  // or one worker may serve both inner regions in turn
    }
    conf_mark("outer again");
  }
  return 0;
}

// EXPECT(initial): implicit_task endpoint=begin flags=initial task=$T
// EXPECT(initial): parallel_begin task=$T parallel=$P requested=2 codeptr=@outer frame_enter=$E0
// EXPECT(initial): implicit_task endpoint=begin parallel=$P task=$O team_size=2 index=0
// EXPECT(initial): mark name=outer state=work_parallel
// EXPECT(initial): task_info level=0 task=$O parallel=$P exit=$X1 enter=0
// EXPECT(initial): task_info level=1 task=$T exit=0 enter=$E0 {X1 <= E0}
// EXPECT(initial): parallel_info level=0 parallel=$P team_size=2
// EXPECT(initial): parallel_info level=1 team_size=1
// EXPECT(initial): parallel_begin task=$O parallel=$Q requested=2 codeptr=@inner frame_exit=$X1 frame_enter=$E1 {E1 < X1}
// EXPECT(initial): implicit_task endpoint=begin parallel=$Q task=$N team_size=2 index=0
// EXPECT(initial): mark name=inner state=work_parallel sp=$S
// EXPECT(initial): task_info level=0 task=$N parallel=$Q index=0 exit=$X2 enter=0 {S < X2}
// EXPECT(initial): task_info level=1 task=$O parallel=$P index=0 exit=$X1 enter=$E1 {X2 <= E1}
// EXPECT(initial): task_info level=2 task=$T flags=initial exit=0 enter=$E0
// EXPECT(initial): parallel_info level=0 parallel=$Q team_size=2
// EXPECT(initial): parallel_info level=1 parallel=$P team_size=2
// EXPECT(initial): parallel_info level=2 team_size=1
// EXPECT(initial): implicit_task endpoint=end parallel=none task=$N
// EXPECT(initial): parallel_end parallel=$Q task=$O codeptr=@inner
// EXPECT(initial): mark name=outer_again state=work_parallel now_task=$O {sp > E1 and sp < X1}
// EXPECT(initial): task_info level=0 task=$O parallel=$P exit=$X1 enter=0
// EXPECT(initial): task_info level=1 task=$T exit=0 enter=$E0
// EXPECT(initial): parallel_info level=0 parallel=$P team_size=2
// EXPECT(initial): parallel_info level=1 team_size=1
// EXPECT(initial): implicit_task endpoint=end parallel=none task=$O
// EXPECT(initial): parallel_end parallel=$P task=$T codeptr=@outer
// EXPECT(initial): implicit_task endpoint=end flags=initial task=$T
//
// EXPECT(outer worker): implicit_task endpoint=begin parallel=$P task=$W team_size=2 index=1
// EXPECT(outer worker): mark name=outer state=work_parallel
// EXPECT(outer worker): task_info level=0 task=$W parallel=$P index=1 exit=$Y1 enter=0
// EXPECT(outer worker): task_info level=1 task=$T
// EXPECT(outer worker): parallel_info level=0 parallel=$P
// EXPECT(outer worker): parallel_info level=1
// EXPECT(outer worker): parallel_begin task=$W parallel=$R requested=2 codeptr=@inner frame_exit=$Y1 frame_enter=$F1 {F1 < Y1}
// EXPECT(outer worker): implicit_task endpoint=begin parallel=$R task=$V team_size=2 index=0
// EXPECT(outer worker): mark name=inner
// EXPECT(outer worker): task_info level=0 task=$V parallel=$R exit=$Y2 enter=0 {Y2 <= F1}
// EXPECT(outer worker): task_info level=1 task=$W parallel=$P exit=$Y1 enter=$F1
// EXPECT(outer worker): task_info level=2 task=$T
// EXPECT(outer worker): parallel_info level=0 parallel=$R
// EXPECT(outer worker): parallel_info level=1 parallel=$P
// EXPECT(outer worker): parallel_info level=2
// EXPECT(outer worker): implicit_task endpoint=end parallel=none task=$V
// EXPECT(outer worker): parallel_end parallel=$R task=$W codeptr=@inner
// EXPECT(outer worker): mark name=outer_again now_task=$W
// EXPECT(outer worker): task_info level=0 task=$W
// EXPECT(outer worker): task_info level=1
// EXPECT(outer worker): parallel_info level=0
// EXPECT(outer worker): parallel_info level=1
// EXPECT(outer worker): ? implicit_task endpoint=end parallel=none task=$W
//
// EXPECT(first inner): implicit_task endpoint=begin parallel=$Q team_size=2 index=1
// EXPECT(first inner): mark name=inner
// EXPECT(first inner): task_info level=0 parallel=$Q index=1
// EXPECT(first inner): task_info level=1 task=$O parallel=$P index=0
// EXPECT(first inner): task_info level=2 task=$T
// EXPECT(first inner): parallel_info level=0 parallel=$Q
// EXPECT(first inner): parallel_info level=1 parallel=$P
// EXPECT(first inner): parallel_info level=2
// EXPECT(first inner): ? implicit_task endpoint=end parallel=none
//
// EXPECT(second inner): implicit_task endpoint=begin parallel=$R team_size=2 index=1
// EXPECT(second inner): mark name=inner
// EXPECT(second inner): task_info level=0 parallel=$R index=1
// EXPECT(second inner): task_info level=1 task=$W parallel=$P index=1
// EXPECT(second inner): task_info level=2 task=$T
// EXPECT(second inner): parallel_info level=0 parallel=$R
// EXPECT(second inner): parallel_info level=1 parallel=$P
// EXPECT(second inner): parallel_info level=2
// EXPECT(second inner): ? implicit_task endpoint=end parallel=none

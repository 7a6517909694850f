// Three levels of which only the first is active: the inner teams have one thread, and each level is an ancestor.
// RUN: OMP_MAX_ACTIVE_LEVELS=1
#include "conformance.h"

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  conf_mark("third");
  return 0;
}

// EXPECT(initial): parallel_begin parallel=$A requested=2
// EXPECT(initial): parallel_begin parallel=$B task=$I1 requested=2 frame_exit=$X1 frame_enter=$E1 {E1 < X1}
// EXPECT(initial): parallel_begin parallel=$C task=$I2 requested=2 frame_exit=$X2 frame_enter=$E2 {X2 <= E1 and E2 < X2}
// EXPECT(initial): mark name=third state=work_parallel {sp < E2}
// EXPECT(initial): task_info level=0 task=$I3 parallel=$C index=0 exit=$X3 enter=0 {X3 <= E2}
// EXPECT(initial): task_info level=1 task=$I2 parallel=$B index=0 exit=$X2 enter=$E2
// EXPECT(initial): task_info level=2 task=$I1 parallel=$A index=0 exit=$X1 enter=$E1
// EXPECT(initial): task_info level=3 flags=initial exit=0 enter!=0
// EXPECT(initial): parallel_info level=0 parallel=$C team_size=1
// EXPECT(initial): parallel_info level=1 parallel=$B team_size=1
// EXPECT(initial): parallel_info level=2 parallel=$A team_size=2
// EXPECT(initial): parallel_info level=3 team_size=1
// EXPECT(initial): parallel_end parallel=$C task=$I2
// EXPECT(initial): parallel_end parallel=$B task=$I1
// EXPECT(initial): parallel_end parallel=$A
//
// EXPECT(worker): parallel_begin parallel=$D task=$J1 requested=2 frame_exit=$Y1 frame_enter=$F1 {F1 < Y1}
// EXPECT(worker): parallel_begin parallel=$E task=$J2 requested=2 frame_exit=$Y2 frame_enter=$F2 {Y2 <= F1 and F2 < Y2}
// EXPECT(worker): mark name=third state=work_parallel {sp < F2}
// EXPECT(worker): task_info level=0 parallel=$E index=0 exit=$Y3 enter=0 {Y3 <= F2}
// EXPECT(worker): task_info level=1 task=$J2 parallel=$D index=0 exit=$Y2 enter=$F2
// EXPECT(worker): task_info level=2 task=$J1 parallel=$A index=1 exit=$Y1 enter=$F1
// EXPECT(worker): task_info level=3 flags=initial
// EXPECT(worker): parallel_info level=0 parallel=$E team_size=1
// EXPECT(worker): parallel_info level=1 parallel=$D team_size=1
// EXPECT(worker): parallel_info level=2 parallel=$A team_size=2
// EXPECT(worker): parallel_info level=3 team_size=1
// EXPECT(worker): parallel_end parallel=$E task=$J2
// EXPECT(worker): parallel_end parallel=$D task=$J1

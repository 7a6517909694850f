// A task outside of all regions runs at once: the state stays serial.
// VARIANTS: -O0 | -O2
#include "conformance.h"

int main(void) {
#pragma omp parallel num_threads(1)
  conf_mark("first");
#pragma omp task
  {
    conf_mark("outer");
#pragma omp task
    conf_mark("inner");
    conf_mark("outer again");
  }
  conf_mark("behind");
  return 0;
}

// IGNORE: parallel_info
// EXPECT(initial): mark name=first
// EXPECT(initial): task_info level=0 flags=implicit|implicit+undeferred
// EXPECT(initial): task_info level=1 flags=initial
// EXPECT(initial): task_create task=$I new_task=$A flags=explicit+undeferred state=work_serial
// EXPECT(initial): task_schedule prior=$I status=switch next=$A
// EXPECT(initial): mark name=outer sp=$S1 state=work_serial now_task=$A
// EXPECT(initial): task_info level=0 task=$A exit=$X1 enter=0 {S1 < X1}
// EXPECT(initial): task_info level=1 task=$I exit=0 enter=$E1 {X1 < E1}
// EXPECT(initial): task_create task=$A new_task=$B flags=explicit+undeferred state=work_serial
// EXPECT(initial): task_schedule prior=$A status=switch next=$B
// EXPECT(initial): mark name=inner sp=$S2 state=work_serial now_task=$B
// EXPECT(initial): task_info level=0 task=$B exit=$X2 enter=0 {S2 < X2}
// EXPECT(initial): task_info level=1 task=$A exit=$X1 enter=$E2 {X2 < E2 and E2 < X1}
// EXPECT(initial): task_info level=2 task=$I exit=0 enter=$E1
// EXPECT(initial): task_schedule prior=$B status=complete next=$A
// EXPECT(initial): mark name=outer_again state=work_serial now_task=$A now_enter=0
// EXPECT(initial): task_info level=0 task=$A exit=$X1 enter=0
// EXPECT(initial): task_info level=1 task=$I exit=0 enter=$E1
// EXPECT(initial): task_schedule prior=$A status=complete next=$I
// EXPECT(initial): mark name=behind state=work_serial now_task=$I now_enter=0
// EXPECT(initial): task_info level=0 task=$I enter=0

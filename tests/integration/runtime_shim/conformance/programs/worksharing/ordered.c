// ordered: turns in the order of the iterations, the wait for the turn, and another wait id for another loop.
// VARIANTS: -O0 | -O2
#include <omp.h>

#include "conformance.h"

int main(void) {
  int step = 0, last = -1, wrong = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 2; i++) {
      conf_raise(&step);
      if (i == 0) conf_await(&step, 2);
      if (i == 0) conf_settle();
      if (i == 0) conf_probe("waiting");
#pragma omp ordered        // AT(ordered)
      wrong += last >= i;  // AT(ordered)
      last = i;            // AT(ordered)
      conf_mark("behind");
    }
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < 1; i++) {
#pragma omp ordered
      last = i;
    }
  }
  return wrong;
}

// IGNORE: task_info parallel_info
// EXPECT(initial): mutex_acquire kind=ordered wait_id=$O
// EXPECT(initial): mutex_acquired kind=ordered wait_id=$O
// EXPECT(initial): mutex_released kind=ordered wait_id=$O
// EXPECT(initial): mark name=behind state=work_parallel
// EXPECT(initial): ? mutex_acquire kind=ordered wait_id=$Q
// EXPECT(initial): ? mutex_acquired kind=ordered wait_id=$Q
// EXPECT(initial): ? mutex_released kind=ordered wait_id=$Q
// EXPECT(worker): mutex_acquire kind=ordered wait_id=$O
// EXPECT(worker)[gomp mutex-states]: mark name=waiting state=wait_ordered state_wait_id=$O now_enter!=0
// EXPECT(worker)[libomp mutex-states]: mark name=waiting
// EXPECT(worker): mutex_acquired kind=ordered wait_id=$O
// EXPECT(worker): mutex_released kind=ordered wait_id=$O
// EXPECT(worker): mark name=behind state=work_parallel
// EXPECT(worker): ? mutex_acquire kind=ordered wait_id=$Q
// EXPECT(worker): ? mutex_acquired kind=ordered wait_id=$Q
// EXPECT(worker): ? mutex_released kind=ordered wait_id=$Q
// COUNT: mutex_acquired kind=ordered == 3

// cancel parallel: one thread cancels, and the other finds the cancellation at a barrier or at a cancellation point.
// RUN: OMP_CANCELLATION=true
#include <omp.h>

#include "conformance.h"

int main(void) {
  int cancelled = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel  // AT(cancel)
    }
#pragma omp barrier
    conf_mark("wrong");
  }
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      conf_raise(&cancelled);
#pragma omp cancel parallel if (1)
    }
    conf_await(&cancelled, 1);
    for (int i = 0; i < 1000000000; i++) {
#pragma omp cancellation point parallel  // AT(point)
    }
    conf_mark("wrong");
  }
  conf_mark("behind");
  return 0;
}

// OTHERS: ignored
// IGNORE: task_info parallel_info
// COUNT: mark name=wrong == 0
// EXPECT(initial): cancel flags=parallel+activated codeptr=@cancel now_flags=implicit|implicit+undeferred
// EXPECT(initial): cancel flags=parallel+activated
// EXPECT(initial): mark name=behind state=work_serial now_enter=0
// EXPECT(worker)[gomp detected-at-barrier]: cancel flags=parallel+detected codeptr!=none
// EXPECT(worker): cancel flags=parallel+detected codeptr=@point

// The other thread finds cancel parallel at the barrier of a dynamically scheduled loop, or of sections.
// VARIANTS: -O0 | -O2
// RUNTIMES: gomp because libomp says nothing at a barrier, and has shared out the sections beforehand
// RUN: OMP_CANCELLATION=true
#include <omp.h>

#include "conformance.h"

int main(void) {
  int loops = 0, sections = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      conf_await(&loops, 2);
#pragma omp cancel parallel
    }
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 2; i++) conf_raise(&loops);
    conf_mark("wrong");
  }
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      conf_await(&sections, 2);
#pragma omp cancel parallel
    }
#pragma omp sections
    {
#pragma omp section
      conf_raise(&sections);
#pragma omp section
      conf_raise(&sections);
    }
    conf_mark("wrong");
  }
  conf_mark("behind");
  return 0;
}

// OTHERS: ignored
// IGNORE: task_info parallel_info
// COUNT: mark name=wrong == 0
// EXPECT(initial): cancel flags=parallel+activated
// EXPECT(initial): cancel flags=parallel+activated
// EXPECT(initial): mark name=behind state=work_serial now_enter=0
// EXPECT(worker): cancel flags=parallel+detected codeptr!=none state=work_parallel now_enter!=0
// EXPECT(worker): cancel flags=parallel+detected codeptr!=none state=work_parallel now_enter!=0

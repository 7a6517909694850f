// cancel for and cancel sections.
// RUN: OMP_CANCELLATION=true
#include <omp.h>

#include "conformance.h"

int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for
    for (int i = 0; i < 10; i++) {
      if (i == 3) {
#pragma omp cancel for  // AT(for)
      }
    }
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp cancel sections if (1)
        conf_mark("wrong");
      }
    }
  }
  conf_mark("behind");
  return 0;
}

// OTHERS: ignored
// IGNORE: task_info parallel_info
// EXPECT(initial): cancel flags=loop+activated codeptr=@for
// EXPECT(initial): cancel flags=sections+activated
// EXPECT(initial): mark name=behind

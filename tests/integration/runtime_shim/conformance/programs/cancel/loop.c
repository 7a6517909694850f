// cancel for and cancel sections. (A team of two: libomp 14 fails an assertion in a team of one.)
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

// COUNT: cancel flags=loop+activated codeptr=@for == 1
// COUNT: cancel flags=sections+activated == 1
// COUNT: cancel == 2
// COUNT: mark name=wrong == 0
// COUNT: mark name=behind state=work_serial == 1

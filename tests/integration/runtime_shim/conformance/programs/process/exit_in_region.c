// exit() within a region, by the primary thread. The finalizer comes once, as the last event, and the status is the
// program's.
// EXIT: 3
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "conformance.h"

int main(void) {
  int never = 0;
#pragma omp parallel num_threads(2)
  {
    conf_mark("inside");
    if (omp_get_thread_num() == 0) {
      printf("leaving\n");
      exit(3);
    }
    conf_await(&never, 1);
  }
  return 0;
}

// STDOUT: leaving
// OTHERS: ignored
// EXPECT(initial): mark name=inside
// EXPECT(initial): ? parallel_end
// EXPECT(initial): ? thread_end
// EXPECT(initial)[gomp exit-within-a-region]: finalize
// COUNT[gomp exit-within-a-region]: finalize == 1

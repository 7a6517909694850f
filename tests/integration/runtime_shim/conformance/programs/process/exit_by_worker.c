// exit() by a worker, while the primary thread goes on.
// EXIT: 4
#include <omp.h>
#include <stdlib.h>

#include "conformance.h"

int main(void) {
  int never = 0;
#pragma omp parallel num_threads(2)
  {
    conf_mark("inside");
    if (omp_get_thread_num() == 1) exit(4);
    conf_await(&never, 1);
  }
  return 0;
}

// OTHERS: ignored
// EXPECT(worker): mark name=inside
// EXPECT(worker): ? thread_end
// EXPECT(worker)[gomp exit-within-a-region]: finalize
// COUNT[gomp exit-within-a-region]: finalize == 1

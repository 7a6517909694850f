// critical, unnamed and named: events, wait ids, and the state of a thread that waits to enter.
// VARIANTS: -O0 | -O2
#include <omp.h>

#include "conformance.h"

int main(void) {
  int entered = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp critical  // AT(unnamed)
      {
        conf_raise(&entered);  // AT(unnamed)
        conf_await(&entered, 2);
        conf_settle();
        conf_probe("waiting");  // AT(unnamed)
      }                         // AT(unnamed)
      conf_mark("behind");
#pragma omp critical(name)  // AT(named)
      conf_mark("inside");  // AT(named)
      conf_mark("end");     // AT(named)
    } else {
      conf_await(&entered, 1);
      conf_raise(&entered);
#pragma omp critical     // AT(other)
      entered++;         // AT(other)
      conf_mark("end");  // AT(other)
    }
  }
  return entered != 3;
}

// EXPECT(initial): mutex_acquire kind=critical wait_id=$U hint=0 codeptr=@unnamed
// EXPECT(initial): mutex_acquired kind=critical wait_id=$U codeptr=@unnamed
// EXPECT(initial)[gomp release-codeptr]: mutex_released kind=critical wait_id=$U codeptr=@unnamed
// EXPECT(initial)[libomp release-codeptr]: mutex_released kind=critical wait_id=$U
// EXPECT(initial): mark name=behind state=work_parallel
// EXPECT(initial): mutex_acquire kind=critical wait_id=$N hint=0 codeptr=@named {N != U}
// EXPECT(initial): mutex_acquired kind=critical wait_id=$N codeptr=@named
// EXPECT(initial): mark name=inside state=work_parallel
// EXPECT(initial)[gomp release-codeptr]: mutex_released kind=critical wait_id=$N codeptr=@named
// EXPECT(initial)[libomp release-codeptr]: mutex_released kind=critical wait_id=$N
// EXPECT(initial): mark name=end state=work_parallel
// EXPECT(worker): mutex_acquire kind=critical wait_id=$U codeptr=@other
// EXPECT(worker)[gomp mutex-states]: mark name=waiting state=wait_critical state_wait_id=$U now_enter!=0
// EXPECT(worker)[libomp mutex-states]: mark name=waiting
// EXPECT(worker): mutex_acquired kind=critical wait_id=$U codeptr=@other
// EXPECT(worker)[gomp release-codeptr]: mutex_released kind=critical wait_id=$U codeptr=@other
// EXPECT(worker)[libomp release-codeptr]: mutex_released kind=critical wait_id=$U
// EXPECT(worker): mark name=end state=work_parallel
// IGNORE: task_info parallel_info

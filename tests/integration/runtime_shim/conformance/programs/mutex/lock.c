// omp_lock_t: init, set, a failing and a succeeding test, unset, destroy, and the state of a thread that waits.
// VARIANTS: -O0 | -O2
#include <omp.h>

#include "conformance.h"

int main(void) {
  omp_lock_t lock;
  int steps = 0, failed = 0, taken = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      conf_note("lock", (uint64_t)&lock);
      omp_init_lock(&lock);  // AT(init)
      omp_set_lock(&lock);   // AT(set)
      conf_raise(&steps);
      conf_await(&steps, 2);
      conf_settle();
      conf_probe("waiting");
      omp_unset_lock(&lock);  // AT(unset)
      conf_await(&steps, 3);
      taken = omp_test_lock(&lock);  // AT(test)
      omp_unset_lock(&lock);         // AT(unset)
      omp_destroy_lock(&lock);       // AT(destroy)
    } else {
      conf_await(&steps, 1);
      failed = omp_test_lock(&lock);  // AT(test)
      conf_raise(&steps);
      omp_set_lock(&lock);    // AT(set)
      omp_unset_lock(&lock);  // AT(unset)
      conf_raise(&steps);
    }
  }
  return failed != 0 || taken == 0;
}

// IGNORE: task_info parallel_info
// EXPECT(initial): note name=lock value=$L
// EXPECT(initial): lock_init kind=lock wait_id=$L hint=0 codeptr=@init
// EXPECT(initial): mutex_acquire kind=lock wait_id=$L hint=0 codeptr=@set
// EXPECT(initial): mutex_acquired kind=lock wait_id=$L codeptr=@set
// EXPECT(initial): mutex_released kind=lock wait_id=$L codeptr=@unset
// EXPECT(initial)[gomp test-kinds]: mutex_acquire kind=test_lock wait_id=$L codeptr=@test
// EXPECT(initial)[libomp test-kinds]: mutex_acquire kind=lock wait_id=$L codeptr=@test
// EXPECT(initial)[gomp test-kinds]: mutex_acquired kind=test_lock wait_id=$L codeptr=@test
// EXPECT(initial)[libomp test-kinds]: mutex_acquired kind=lock wait_id=$L codeptr=@test
// EXPECT(initial): mutex_released kind=lock wait_id=$L codeptr=@unset
// EXPECT(initial): lock_destroy kind=lock wait_id=$L codeptr=@destroy
// EXPECT(worker)[gomp test-kinds]: mutex_acquire kind=test_lock wait_id=$L codeptr=@test
// EXPECT(worker)[libomp test-kinds]: mutex_acquire kind=lock wait_id=$L codeptr=@test
// EXPECT(worker): mutex_acquire kind=lock wait_id=$L codeptr=@set
// EXPECT(worker)[gomp mutex-states]: mark name=waiting state=wait_lock state_wait_id=$L now_enter!=0
// EXPECT(worker)[libomp mutex-states]: mark name=waiting
// EXPECT(worker): mutex_acquired kind=lock wait_id=$L codeptr=@set
// EXPECT(worker): mutex_released kind=lock wait_id=$L codeptr=@unset

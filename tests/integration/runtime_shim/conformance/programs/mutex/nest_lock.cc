// omp_nest_lock_t: the first acquisition is acquired, later acquisitions nest. A test by another task fails, and a
// thread waits.
// VARIANTS: -O0 | -O2
#include <omp.h>

#include "conformance.h"

int main() {
  omp_nest_lock_t lock;
  int steps = 0, failed = 0, depth = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      conf_note("lock", reinterpret_cast<uint64_t>(&lock));
      omp_init_nest_lock(&lock);          // AT(init)
      omp_set_nest_lock(&lock);           // AT(set)
      omp_set_nest_lock(&lock);           // AT(set)
      depth = omp_test_nest_lock(&lock);  // AT(test)
      omp_unset_nest_lock(&lock);         // AT(unset)
      conf_raise(&steps);
      conf_await(&steps, 2);
      conf_settle();
      conf_probe("waiting");
      omp_unset_nest_lock(&lock);  // AT(unset)
      conf_mark("held once");
      omp_unset_nest_lock(&lock);  // AT(unset)
      conf_await(&steps, 3);
      depth = depth * 10 + omp_test_nest_lock(&lock);  // AT(test)
      omp_unset_nest_lock(&lock);                      // AT(unset)
      omp_destroy_nest_lock(&lock);                    // AT(destroy)
    } else {
      conf_await(&steps, 1);
      failed = omp_test_nest_lock(&lock);  // AT(test)
      conf_raise(&steps);
      omp_set_nest_lock(&lock);    // AT(set)
      omp_unset_nest_lock(&lock);  // AT(unset)
      conf_raise(&steps);
    }
  }
  return failed != 0 || depth != 31;
}

// IGNORE: task_info parallel_info
// EXPECT(initial): note name=lock value=$L
// EXPECT(initial): lock_init kind=nest_lock wait_id=$L hint=0 codeptr=@init
// EXPECT(initial): mutex_acquire kind=nest_lock wait_id=$L codeptr=@set
// EXPECT(initial): mutex_acquired kind=nest_lock wait_id=$L codeptr=@set
// EXPECT(initial): mutex_acquire kind=nest_lock wait_id=$L codeptr=@set
// EXPECT(initial): nest_lock endpoint=begin wait_id=$L codeptr=@set
// EXPECT(initial)[gomp test-kinds]: mutex_acquire kind=test_nest_lock wait_id=$L codeptr=@test
// EXPECT(initial)[libomp test-kinds]: mutex_acquire kind=nest_lock wait_id=$L codeptr=@test
// EXPECT(initial): nest_lock endpoint=begin wait_id=$L codeptr=@test
// EXPECT(initial): nest_lock endpoint=end wait_id=$L codeptr=@unset
// EXPECT(initial): nest_lock endpoint=end wait_id=$L codeptr=@unset
// EXPECT(initial): mark name=held_once state=work_parallel
// EXPECT(initial): mutex_released kind=nest_lock wait_id=$L codeptr=@unset
// EXPECT(initial)[gomp test-kinds]: mutex_acquire kind=test_nest_lock wait_id=$L codeptr=@test
// EXPECT(initial)[libomp test-kinds]: mutex_acquire kind=nest_lock wait_id=$L codeptr=@test
// EXPECT(initial)[gomp test-kinds]: mutex_acquired kind=test_nest_lock wait_id=$L codeptr=@test
// EXPECT(initial)[libomp test-kinds]: mutex_acquired kind=nest_lock wait_id=$L codeptr=@test
// EXPECT(initial): mutex_released kind=nest_lock wait_id=$L codeptr=@unset
// EXPECT(initial): lock_destroy kind=nest_lock wait_id=$L codeptr=@destroy
// EXPECT(worker)[gomp test-kinds]: mutex_acquire kind=test_nest_lock wait_id=$L codeptr=@test
// EXPECT(worker)[libomp test-kinds]: mutex_acquire kind=nest_lock wait_id=$L codeptr=@test
// EXPECT(worker): mutex_acquire kind=nest_lock wait_id=$L codeptr=@set
// EXPECT(worker)[gomp mutex-states]: mark name=waiting state=wait_lock state_wait_id=$L now_enter!=0
// EXPECT(worker)[libomp mutex-states]: mark name=waiting
// EXPECT(worker): mutex_acquired kind=nest_lock wait_id=$L codeptr=@set
// EXPECT(worker): mutex_released kind=nest_lock wait_id=$L codeptr=@unset

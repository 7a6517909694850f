// Critical and locks, and a tool that does not listen to them. A waiting thread has the state and wait id as otherwise,
// and works again once it has the lock. Giving back an unheard lock is libgomp's own function.
// VARIANTS: -O0 | -O2
// RUNTIMES: gomp because the shim alone has other wrappers then
// RUN: CONFORMANCE_WITHOUT=mutex_acquire,mutex_acquired,mutex_released
#include <omp.h>

#include "conformance.h"

static int steps = 0;

static void hold(const char* name, int step) {
  conf_raise(&steps);
  conf_await(&steps, step + 2);
  conf_settle();
  conf_probe(name);
}

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      conf_note("lock", (uint64_t)&lock);
      omp_set_lock(&lock);
      hold("waiting for the lock", 0);
      omp_unset_lock(&lock);
      conf_await(&steps, 3);
#pragma omp critical
      hold("waiting for critical", 3);
      conf_await(&steps, 6);
#pragma omp critical(name)
      hold("waiting for a named one", 6);
    } else {
      conf_await(&steps, 1);
      conf_raise(&steps);
      omp_set_lock(&lock);
      conf_mark("has the lock");
      omp_unset_lock(&lock);
      conf_raise(&steps);
      conf_await(&steps, 4);
      conf_raise(&steps);
#pragma omp critical
      conf_mark("in critical");
      conf_raise(&steps);
      conf_await(&steps, 7);
      conf_raise(&steps);
#pragma omp critical(name)
      conf_mark("in a named one");
    }
  }
  omp_destroy_lock(&lock);
  return 0;
}

// IGNORE: task_info parallel_info
// EXPECT(initial): note name=lock value=$L
// EXPECT(worker): mark name=waiting_for_the_lock state=wait_lock state_wait_id=$L now_enter!=0
// EXPECT(worker): mark name=has_the_lock state=work_parallel state_wait_id=0 now_enter=0
// EXPECT(worker): mark name=waiting_for_critical state=wait_critical state_wait_id=$C now_enter!=0 {C != L}
// EXPECT(worker): mark name=in_critical state=work_parallel state_wait_id=0 now_enter=0
// EXPECT(worker): mark name=waiting_for_a_named_one state=wait_critical state_wait_id=$N now_enter!=0 {N != C}
// EXPECT(worker): mark name=in_a_named_one state=work_parallel state_wait_id=0 now_enter=0

// The runtime's methods of exclusion, by the numbers that ompt_enumerate_mutex_impls gives them: a futex (1) for locks
// and critical, a semaphore (2) for ordered.
//
// RUNTIMES: gomp because the numbers are the runtime's own
#include <omp.h>

#include "conformance.h"

int main(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
  omp_test_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
  int sum = 0;
#pragma omp critical
  sum++;
#pragma omp parallel for ordered num_threads(1)
  for (int i = 0; i < 1; i++) {
#pragma omp ordered
    sum++;
  }
  return sum != 2;
}

// EXPECT(tool): set_callback callback=flush result=impossible
// EXPECT(tool): set_callback callback=masked|master result=impossible
// EXPECT(initial): lock_init kind=lock impl=1
// EXPECT(initial): lock_init kind=nest_lock impl=1
// EXPECT(initial): mutex_acquire kind=lock impl=1
// EXPECT(initial): mutex_acquire kind=test_nest_lock impl=1
// EXPECT(initial): mutex_acquire kind=critical impl=1
// EXPECT(initial): mutex_acquire kind=ordered impl=2

// A library with its own OpenMP, for local.c. It is compiled by gcc for libgomp, for another copy of libgomp, and by
// clang for libomp. 0 is no error.
#include <omp.h>
#include <string.h>

// A nest lock of libgomp is larger than a nest lock of libomp: a wrong runtime's write shows behind it.
struct guarded {
  omp_nest_lock_t lock;
  unsigned char guard[64];
};

int use_locks(void) {
  struct guarded place;
  memset(place.guard, 0x5a, sizeof place.guard);
  omp_init_nest_lock(&place.lock);
  omp_set_nest_lock(&place.lock);
  const int depth = omp_test_nest_lock(&place.lock);
  omp_unset_nest_lock(&place.lock);
  omp_unset_nest_lock(&place.lock);
  omp_destroy_nest_lock(&place.lock);
  omp_lock_t plain;
  omp_init_lock(&plain);
  omp_set_lock(&plain);
  const int again = omp_test_lock(&plain);
  omp_unset_lock(&plain);
  omp_destroy_lock(&plain);
  for (unsigned i = 0; i < sizeof place.guard; i++)
    if (place.guard[i] != 0x5a) return 1;
  return depth != 2 || again != 0;
}

int use_region(void) {
  int sum = 0;
  int is_apart = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum, is_apart)
  {
    sum = omp_get_thread_num();
#pragma omp barrier
#pragma omp critical
    is_apart = omp_get_num_threads();
  }
  return sum != 3 || is_apart != 9;
}

// One thread of another runtime's region calls this. This runtime has no region there, and no thread to wait for.
int use_orphan(void) {
#pragma omp barrier
#pragma omp critical(orphan)
  ;
  return omp_in_parallel() || omp_get_num_threads() != 1;
}

// Runs the function on one thread of a region of this runtime.
int use_within(int (*function)(void)) {
  int result = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) result = function();
#pragma omp barrier
  }
  return result;
}

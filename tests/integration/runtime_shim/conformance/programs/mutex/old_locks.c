// The locks of programs linked before OpenMP 3.0: other symbols with equal names. Such a nest lock is half as long and
// belongs to a thread. The new functions would write beyond its end, and a task could not take it again.
// VARIANTS: -O0 | -O2
// RUNTIMES: gomp because the old versions are libgomp's
#include <omp.h>

#include "conformance.h"

typedef struct {
  int words[2];
} old_nest_lock;

#define OLD(result, name, type)    \
  extern result old_##name(type*); \
  __asm__(".symver old_" #name ", " #name "@OMP_1.0")
OLD(void, omp_init_lock, int);
OLD(void, omp_set_lock, int);
OLD(void, omp_unset_lock, int);
OLD(int, omp_test_lock, int);
OLD(void, omp_destroy_lock, int);
OLD(void, omp_init_nest_lock, old_nest_lock);
OLD(void, omp_set_nest_lock, old_nest_lock);
OLD(void, omp_unset_nest_lock, old_nest_lock);
OLD(int, omp_test_nest_lock, old_nest_lock);
OLD(void, omp_destroy_nest_lock, old_nest_lock);

int main(void) {
  struct {
    old_nest_lock lock;
    int behind[2];
  } nest = {{{-1, -1}}, {77, 78}};
  int lock = -1, depth = 0, failed = -1;
#pragma omp parallel num_threads(1)
  {
    old_omp_init_lock(&lock);           // AT(init)
    old_omp_set_lock(&lock);            // AT(set)
    failed = old_omp_test_lock(&lock);  // AT(test)
    old_omp_unset_lock(&lock);          // AT(unset)
    old_omp_destroy_lock(&lock);        // AT(destroy)
    conf_mark("nest");
    old_omp_init_nest_lock(&nest.lock);  // AT(init)
    old_omp_set_nest_lock(&nest.lock);   // AT(set)
#pragma omp task if (0)
    {
      depth = old_omp_test_nest_lock(&nest.lock);  // AT(test)
      old_omp_unset_nest_lock(&nest.lock);         // AT(unset)
    }
    old_omp_unset_nest_lock(&nest.lock);    // AT(unset)
    old_omp_destroy_nest_lock(&nest.lock);  // AT(destroy)
  }
  return failed != 0 || depth != 2 || nest.behind[0] != 77 || nest.behind[1] != 78;
}

// IGNORE: task_info parallel_info
// EXPECT(initial): lock_init kind=lock wait_id=$L codeptr=@init
// EXPECT(initial): mutex_acquire kind=lock wait_id=$L codeptr=@set
// EXPECT(initial): mutex_acquired kind=lock wait_id=$L codeptr=@set
// EXPECT(initial): mutex_acquire kind=test_lock wait_id=$L codeptr=@test
// EXPECT(initial): mutex_released kind=lock wait_id=$L codeptr=@unset
// EXPECT(initial): lock_destroy kind=lock wait_id=$L codeptr=@destroy
// EXPECT(initial): mark name=nest
// EXPECT(initial): lock_init kind=nest_lock wait_id=$N codeptr=@init
// EXPECT(initial): mutex_acquire kind=nest_lock wait_id=$N codeptr=@set
// EXPECT(initial): mutex_acquired kind=nest_lock wait_id=$N codeptr=@set
// EXPECT(initial): mutex_acquire kind=test_nest_lock wait_id=$N codeptr=@test
// EXPECT(initial): nest_lock endpoint=begin wait_id=$N codeptr=@test
// EXPECT(initial): nest_lock endpoint=end wait_id=$N codeptr=@unset
// EXPECT(initial): mutex_released kind=nest_lock wait_id=$N codeptr=@unset
// EXPECT(initial): lock_destroy kind=nest_lock wait_id=$N codeptr=@destroy

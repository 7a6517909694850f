// `#pragma omp barrier`: its events and states on both threads, and the state of a thread that waits in it.
//
// VARIANTS: -O0 | -O2
#include <omp.h>

#include "conformance.h"

int main(void) {
  int arrived = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      conf_await(&arrived, 1);
      conf_settle();
      conf_probe("waiting");
    } else {
      conf_raise(&arrived);
    }
#pragma omp barrier  // AT(barrier)
  }
  return 0;
}

// IGNORE: task_info parallel_info
//
// EXPECT(initial): implicit_task endpoint=begin flags=initial
// EXPECT(initial): implicit_task endpoint=begin parallel=$P task=$T
// EXPECT(initial): sync_region kind=barrier_explicit endpoint=begin parallel=$P task=$T codeptr=@barrier
// EXPECT(initial): sync_region_wait kind=barrier_explicit endpoint=begin parallel=$P task=$T codeptr=@barrier
// EXPECT(initial): sync_region_wait kind=barrier_explicit endpoint=end parallel=$P task=$T codeptr=@barrier
// EXPECT(initial): sync_region kind=barrier_explicit endpoint=end parallel=$P task=$T codeptr=@barrier
// EXPECT(initial)[gomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit_parallel endpoint=begin parallel=$P task=$T
// EXPECT(initial)[gomp deprecated-barrier-kinds]: sync_region_wait kind=barrier_implicit_parallel endpoint=begin parallel=$P task=$T
// EXPECT(initial)[gomp deprecated-barrier-kinds]: sync_region_wait kind=barrier_implicit_parallel endpoint=end parallel=none task=$T
// EXPECT(initial)[gomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit_parallel endpoint=end parallel=none task=$T
// EXPECT(initial)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=begin parallel=$P task=$T
// EXPECT(initial)[libomp deprecated-barrier-kinds]: sync_region_wait kind=barrier_implicit endpoint=begin parallel=$P task=$T
// EXPECT(initial)[libomp deprecated-barrier-kinds]: sync_region_wait kind=barrier_implicit endpoint=end parallel=none task=$T
// EXPECT(initial)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=end parallel=none task=$T
// EXPECT(initial): implicit_task endpoint=end parallel=none task=$T
// EXPECT(initial): implicit_task endpoint=end flags=initial
//
// EXPECT(worker): implicit_task endpoint=begin parallel=$P task=$W
// EXPECT(worker): sync_region kind=barrier_explicit endpoint=begin parallel=$P task=$W codeptr=@barrier
// EXPECT(worker): sync_region_wait kind=barrier_explicit endpoint=begin parallel=$P task=$W codeptr=@barrier
// EXPECT(worker)[gomp states-at-barrier-begin]: mark name=waiting state=wait_barrier_explicit
// EXPECT(worker)[libomp states-at-barrier-begin]: mark name=waiting state=wait_barrier|wait_barrier_explicit
// EXPECT(worker): sync_region_wait kind=barrier_explicit endpoint=end parallel=$P task=$W codeptr=@barrier
// EXPECT(worker): sync_region kind=barrier_explicit endpoint=end parallel=$P task=$W codeptr=@barrier
// EXPECT(worker): sync_region kind=barrier_implicit_parallel|barrier_implicit endpoint=begin parallel=$P task=$W
// EXPECT(worker): sync_region_wait kind=barrier_implicit_parallel|barrier_implicit endpoint=begin parallel=$P task=$W
// EXPECT(worker): sync_region_wait kind=barrier_implicit_parallel|barrier_implicit endpoint=end parallel=none task=$W
// EXPECT(worker): sync_region kind=barrier_implicit_parallel|barrier_implicit endpoint=end parallel=none task=$W
// EXPECT(worker): implicit_task endpoint=end parallel=none task=$W

// The state inside each callback, and in the code between them.
// VARIANTS: | -O2
#include "conformance.h"

int main(void) {
#pragma omp parallel num_threads(2)
  {
    conf_mark("parallel");
#pragma omp barrier
    conf_mark("behind barrier");
#pragma omp critical
    conf_mark("critical");
    conf_mark("behind critical");
  }
  conf_mark("serial");
#pragma omp critical
  conf_mark("serial critical");
  conf_mark("serial again");
  return 0;
}

// OTHERS: ignored
// IGNORE: sync_region_wait mutex_acquired mutex_released
// EXPECT(initial): thread_begin state=overhead
// EXPECT(initial)[gomp states-in-callbacks]: implicit_task endpoint=begin flags=initial state=overhead
// EXPECT(initial)[gomp states-in-callbacks]: parallel_begin state=overhead
// EXPECT(initial)[gomp states-in-callbacks]: implicit_task endpoint=begin state=overhead
// EXPECT(initial)[libomp states-in-callbacks]: implicit_task endpoint=begin flags=initial
// EXPECT(initial)[libomp states-in-callbacks]: parallel_begin
// EXPECT(initial)[libomp states-in-callbacks]: implicit_task endpoint=begin
// EXPECT(initial): mark name=parallel state=work_parallel
// EXPECT(initial)[gomp states-at-barrier-begin]: sync_region endpoint=begin state=wait_barrier_explicit
// EXPECT(initial)[gomp states-at-barrier-begin]: sync_region endpoint=end state=wait_barrier_explicit
// EXPECT(initial)[libomp states-at-barrier-begin]: sync_region endpoint=begin state=work_parallel
// EXPECT(initial)[libomp states-at-barrier-begin]: sync_region endpoint=end state=wait_barrier
// EXPECT(initial): mark name=behind_barrier state=work_parallel state_wait_id=0
// EXPECT(initial): mark name=critical state=work_parallel
// EXPECT(initial): mark name=behind_critical state=work_parallel
// EXPECT(initial)[gomp states-at-barrier-begin]: sync_region endpoint=begin state=wait_barrier_implicit_parallel
// EXPECT(initial)[libomp states-at-barrier-begin]: sync_region endpoint=begin state=overhead
// EXPECT(initial): sync_region endpoint=end state=overhead
// EXPECT(initial): implicit_task endpoint=end state=overhead
// EXPECT(initial): parallel_end state=overhead
// EXPECT(initial): mark name=serial state=work_serial
// EXPECT(initial): mark name=serial_critical state=work_serial
// EXPECT(initial): mark name=serial_again state=work_serial
// EXPECT(initial): implicit_task endpoint=end flags=initial
// EXPECT(initial): thread_end

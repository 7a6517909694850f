// single with copyprivate: the other thread waits for the value in a barrier of the implementation.
// VARIANTS: -O0 | -O2
// RUNTIMES: gomp because each runtime hands the value over in its own way
#include <omp.h>

#include "conformance.h"

int main(void) {
  int step = 0, sum = 0;
#pragma omp parallel num_threads(2)
  {
    int value = 1;
    if (omp_get_thread_num() != 0) conf_await(&step, 1);
#pragma omp single copyprivate(value)
    {
      conf_raise(&step);
      conf_settle();
      conf_probe("waiting");
      value = 20;
    }
    conf_mark("behind");
#pragma omp atomic
    sum += value;
  }
  return sum != 40;
}

// IGNORE: task_info parallel_info
// EXPECT(initial): sync_region kind=barrier_implementation endpoint=begin
// EXPECT(initial): sync_region kind=barrier_implementation endpoint=end
// EXPECT(initial): work work=single_executor endpoint=begin count=1
// EXPECT(initial): work work=single_executor endpoint=end count=1
// EXPECT(initial): sync_region kind=barrier_implementation endpoint=begin
// EXPECT(initial): sync_region kind=barrier_implementation endpoint=end
// EXPECT(initial): sync_region kind=barrier_implicit_workshare endpoint=begin
// EXPECT(initial): sync_region kind=barrier_implicit_workshare endpoint=end
// EXPECT(initial): mark name=behind state=work_parallel
// EXPECT(initial): * sync_region kind=barrier_implicit_parallel
// EXPECT(worker): sync_region kind=barrier_implementation endpoint=begin
// EXPECT(worker): mark name=waiting state=wait_barrier_implementation now_enter!=0
// EXPECT(worker): sync_region kind=barrier_implementation endpoint=end
// EXPECT(worker): work work=single_other endpoint=begin count=1
// EXPECT(worker): work work=single_other endpoint=end count=1
// EXPECT(worker): sync_region kind=barrier_implicit_workshare endpoint=begin
// EXPECT(worker): sync_region kind=barrier_implicit_workshare endpoint=end
// EXPECT(worker): mark name=behind state=work_parallel
// EXPECT(worker): * sync_region kind=barrier_implicit_parallel

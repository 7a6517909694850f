// A cancelled worksharing region ends like any other. A worksharing region that its parallel region's cancellation
// leaves open ends with the implicit task.
// VARIANTS: -O0 | -O2
// RUN: OMP_CANCELLATION=true
// RUNTIMES: gomp because clang's cancelled loops have another end
#include "conformance.h"

int main(void) {
  int done = 0;
#pragma omp parallel num_threads(1)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 10; i++) {
      conf_raise(&done);
#pragma omp cancel for
    }
    conf_mark("between");
#pragma omp single nowait
    conf_raise(&done);
#pragma omp cancel parallel
    conf_mark("not reached");
  }
  conf_mark("behind");
  return done != 2;
}

// IGNORE: task_info parallel_info sync_region_wait
// EXPECT(initial): implicit_task endpoint=begin flags=initial
// EXPECT(initial): implicit_task endpoint=begin task=$T
// EXPECT(initial): work work=loop endpoint=begin task=$T count=10
// EXPECT(initial): work work=loop endpoint=end task=$T count=10
// EXPECT(initial): sync_region kind=barrier_implicit_workshare endpoint=begin
// EXPECT(initial): sync_region kind=barrier_implicit_workshare endpoint=end
// EXPECT(initial): mark name=between state=work_parallel now_enter=0
// EXPECT(initial): work work=single_executor endpoint=begin task=$T count=1
// EXPECT(initial): work work=single_executor endpoint=end task=$T count=1
// EXPECT(initial): sync_region kind=barrier_implicit_parallel endpoint=begin
// EXPECT(initial): sync_region kind=barrier_implicit_parallel endpoint=end
// EXPECT(initial): implicit_task endpoint=end task=$T
// EXPECT(initial): mark name=behind state=work_serial
// EXPECT(initial): implicit_task endpoint=end flags=initial

// Worksharing outside of all regions: the initial task is its own team.
// VARIANTS: -O0 | -O2
// RUNTIMES: gomp because libomp ends the single where it ends
#include "conformance.h"

static volatile int n = 3;

int main(void) {
  int done = 0;
#pragma omp single
  done++;
#pragma omp for schedule(dynamic)
  for (int i = 0; i < n; i++) done++;
  conf_mark("between");
#pragma omp single nowait
  done++;
  conf_mark("end");
  return done != 5;
}

// IGNORE: task_info parallel_info dispatch
// EXPECT(initial): implicit_task endpoint=begin flags=initial parallel=$P task=$T
// EXPECT(initial): work work=single_executor endpoint=begin parallel=$P task=$T count=1
// EXPECT(initial): work work=single_executor endpoint=end parallel=$P task=$T
// EXPECT(initial): work work=loop endpoint=begin parallel=$P task=$T count=3
// EXPECT(initial): work work=loop endpoint=end parallel=$P task=$T
// EXPECT(initial): mark name=between state=work_serial now_enter=0
// EXPECT(initial): work work=single_executor endpoint=begin parallel=$P task=$T count=1
// EXPECT(initial): mark name=end state=work_serial now_enter=0
// EXPECT(initial): work work=single_executor endpoint=end parallel=$P task=$T count=1
// EXPECT(initial): implicit_task endpoint=end flags=initial task=$T

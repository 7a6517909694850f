// scope with task reductions: the only scope construct that gcc calls the runtime for.
// VARIANTS: -O0 | -O2
// RUNTIMES: gomp because clang 14 has no scope
#include "conformance.h"

int sum = 0;

int main(void) {
#pragma omp parallel num_threads(1)
  {
#pragma omp scope reduction(task, + : sum)  // AT(scope)
    conf_mark("inside");                    // AT(scope)
    conf_mark("behind");
  }
  return 0;
}

// IGNORE: task_info parallel_info
// EXPECT(initial): work work=scope endpoint=begin count=1
// EXPECT(initial): mark name=inside state=work_parallel now_enter=0
// EXPECT(initial): work work=scope endpoint=end count=1
// EXPECT(initial): sync_region kind=barrier_implicit_workshare endpoint=begin
// EXPECT(initial): sync_region kind=barrier_implicit_workshare endpoint=end
// EXPECT(initial): * sync_region kind=taskgroup|barrier_implementation
// EXPECT(initial): mark name=behind state=work_parallel
// EXPECT(initial): * sync_region kind=barrier_implicit_parallel

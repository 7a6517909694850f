// A barrier outside of any region binds to the implicit region of one thread, and has its events.
#include "conformance.h"

int main(void) {
#pragma omp parallel num_threads(2)
  conf_state();
  conf_state();
#pragma omp barrier  // AT(barrier)
  conf_mark("behind");
  return 0;
}

// OTHERS: ignored
// IGNORE: sync_region_wait
// EXPECT(initial): implicit_task flags=initial task=$T parallel=$R
// EXPECT(initial): implicit_task
// EXPECT(initial): sync_region endpoint=begin kind=barrier_implicit_parallel|barrier_implicit
// EXPECT(initial): sync_region endpoint=end
// EXPECT(initial): implicit_task
// EXPECT(initial): sync_region kind=barrier_explicit endpoint=begin parallel=$R task=$T codeptr=@barrier
// EXPECT(initial): sync_region kind=barrier_explicit endpoint=end parallel=$R task=$T codeptr=@barrier
// EXPECT(initial)[gomp orphaned-barrier-state]: mark name=behind state=work_serial now_enter=0
// EXPECT(initial)[libomp orphaned-barrier-state]: mark name=behind now_enter=0
// EXPECT(initial): implicit_task

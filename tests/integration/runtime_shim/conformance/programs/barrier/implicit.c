// The barrier at the end of a statically scheduled loop. gcc makes the call of an explicit barrier, and no call for the
// loop itself.
#include "conformance.h"

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(static)  // AT(loop)
    for (int i = 0; i < 4; i++)   // AT(loop)
      conf_raise(&sum);           // AT(loop)
    conf_mark("behind");
  }
  return sum != 4;
}

// IGNORE: sync_region_wait
// EXPECT(initial)[gomp same-call-as-barrier]: sync_region kind=barrier_explicit endpoint=begin codeptr=@loop state=wait_barrier_explicit
// EXPECT(initial)[gomp same-call-as-barrier]: sync_region kind=barrier_explicit endpoint=end codeptr=@loop
// EXPECT(initial)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=begin codeptr=@loop
// EXPECT(initial)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=end codeptr=@loop
// EXPECT(initial): mark name=behind state=work_parallel
// EXPECT(initial): sync_region endpoint=begin kind=barrier_implicit_parallel|barrier_implicit
// EXPECT(initial): sync_region endpoint=end kind=barrier_implicit_parallel|barrier_implicit
// EXPECT(worker)[gomp same-call-as-barrier]: sync_region kind=barrier_explicit endpoint=begin codeptr=@loop
// EXPECT(worker)[gomp same-call-as-barrier]: sync_region kind=barrier_explicit endpoint=end codeptr=@loop
// EXPECT(worker)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=begin codeptr=@loop
// EXPECT(worker)[libomp deprecated-barrier-kinds]: sync_region kind=barrier_implicit endpoint=end codeptr=@loop
// EXPECT(worker): mark name=behind state=work_parallel
// EXPECT(worker): sync_region endpoint=begin kind=barrier_implicit_parallel|barrier_implicit
// EXPECT(worker): ? sync_region endpoint=end kind=barrier_implicit_parallel|barrier_implicit

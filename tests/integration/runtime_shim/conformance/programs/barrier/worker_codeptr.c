// At the barrier that ends a region, only the primary thread has come by a call of the user's. The other threads have no
// return address there. At the other barriers they have their own.
#include "conformance.h"

int main(void) {
  int sum = 0;
  conf_raise(&sum);                  // AT(region)
#pragma omp parallel num_threads(2)  // AT(region)
  {
    conf_raise(&sum);  // AT(barrier)
#pragma omp barrier    // AT(barrier)
    conf_mark("behind");
  }
#pragma omp parallel num_threads(2)
  conf_raise(&sum);
  return sum != 5;
}

// IGNORE: task_info parallel_info
// EXPECT(initial): ~ sync_region kind=barrier_explicit endpoint=begin codeptr=@barrier
// EXPECT(initial): ~ sync_region_wait kind=barrier_explicit endpoint=begin codeptr=@barrier
// EXPECT(initial): ~ sync_region_wait kind=barrier_explicit endpoint=end codeptr=@barrier
// EXPECT(initial): ~ sync_region kind=barrier_explicit endpoint=end codeptr=@barrier
// EXPECT(initial): mark name=behind
// EXPECT(initial): sync_region kind=barrier_implicit_parallel|barrier_implicit endpoint=begin codeptr=@region
// EXPECT(initial): sync_region_wait kind=barrier_implicit_parallel|barrier_implicit endpoint=begin codeptr=@region
// EXPECT(initial): sync_region_wait kind=barrier_implicit_parallel|barrier_implicit endpoint=end codeptr=@region
// EXPECT(initial): sync_region kind=barrier_implicit_parallel|barrier_implicit endpoint=end codeptr=@region
// EXPECT(initial): * sync_region
// EXPECT(initial): * sync_region_wait
// EXPECT(initial): * sync_region
// EXPECT(worker): ~ sync_region kind=barrier_explicit endpoint=begin codeptr=@barrier
// EXPECT(worker): ~ sync_region_wait kind=barrier_explicit endpoint=begin codeptr=@barrier
// EXPECT(worker): ~ sync_region_wait kind=barrier_explicit endpoint=end codeptr=@barrier
// EXPECT(worker): ~ sync_region kind=barrier_explicit endpoint=end codeptr=@barrier
// EXPECT(worker): mark name=behind
// EXPECT(worker): sync_region kind=barrier_implicit_parallel|barrier_implicit endpoint=begin codeptr=none
// EXPECT(worker): sync_region_wait kind=barrier_implicit_parallel|barrier_implicit endpoint=begin codeptr=none
// EXPECT(worker): sync_region_wait kind=barrier_implicit_parallel|barrier_implicit endpoint=end codeptr=none
// EXPECT(worker): sync_region kind=barrier_implicit_parallel|barrier_implicit endpoint=end codeptr=none
// EXPECT(worker): sync_region kind=barrier_implicit_parallel|barrier_implicit endpoint=begin codeptr=none
// EXPECT(worker): sync_region_wait kind=barrier_implicit_parallel|barrier_implicit endpoint=begin codeptr=none
// EXPECT(worker): ? sync_region_wait kind=barrier_implicit_parallel|barrier_implicit endpoint=end codeptr=none
// EXPECT(worker): ? sync_region kind=barrier_implicit_parallel|barrier_implicit endpoint=end codeptr=none

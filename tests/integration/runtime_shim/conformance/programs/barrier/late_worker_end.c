// The barrier at the end of a region and a worker's implicit task. Their ends are reported when the worker is next
// needed, before its next implicit task begins, with the old task and no region. The primary's ends are reported at
// once.
#include "conformance.h"

int main(void) {
#pragma omp parallel num_threads(2)
  conf_mark("first");
  conf_mark("between");
#pragma omp parallel num_threads(2)
  conf_mark("second");
  return 0;
}

// VARIANTS: -O0 | -O2
// IGNORE: sync_region_wait
// OBSERVE: sync_region
// EXPECT(initial): mark name=first
// EXPECT(initial): sync_region endpoint=begin kind=barrier_implicit_parallel|barrier_implicit task=$I now_exit=0
// EXPECT(initial): sync_region endpoint=end parallel=none task=$I
// EXPECT(initial): mark name=between state=work_serial
// EXPECT(initial): mark name=second
// EXPECT(initial): sync_region endpoint=begin task=$J
// EXPECT(initial): sync_region endpoint=end parallel=none task=$J
//
// EXPECT(worker): mark name=first now_task=$W
// EXPECT(worker): sync_region endpoint=begin kind=barrier_implicit_parallel|barrier_implicit parallel=$P task=$W now_exit=0
// EXPECT(worker): sync_region endpoint=end kind=barrier_implicit_parallel|barrier_implicit parallel=none task=$W
// EXPECT(worker): mark name=second now_task=$V {V != W}
// EXPECT(worker): sync_region endpoint=begin task=$V
// EXPECT(worker): sync_region endpoint=end parallel=none task=$V

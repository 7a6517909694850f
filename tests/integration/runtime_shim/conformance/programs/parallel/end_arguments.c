// The end of an implicit task and of an initial task has no team size, and the index of the beginning. The former has no
// region. The latter has its own, on both runtimes: see "libomp-end-arguments" in differences.md.
#include "conformance.h"

int main(void) {
#pragma omp parallel num_threads(2)
  conf_state();
  return 0;
}

// OTHERS: ignored
// EXPECT(initial): implicit_task endpoint=begin flags=initial parallel=$R task=$T team_size=1 index=1 {R > 0}
// EXPECT(initial): implicit_task endpoint=begin flags=implicit parallel=$P task=$I team_size=2 index=0
// EXPECT(initial)[gomp libomp-end-arguments]: implicit_task endpoint=end flags=implicit parallel=none task=$I team_size=0 index=0
// EXPECT(initial)[libomp libomp-end-arguments]: implicit_task endpoint=end flags=implicit parallel=none task=$I index=0
// EXPECT(initial): implicit_task endpoint=end flags=initial parallel=$R task=$T team_size=0 index=1

// requested_parallelism: the clause, the environment, omp_set_num_threads; and the size that the team had.
// RUN: OMP_NUM_THREADS=3 OMP_THREAD_LIMIT=4 OMP_DYNAMIC=false
#include <omp.h>

#include "conformance.h"

int main(void) {
#pragma omp parallel
  conf_state();
#pragma omp parallel num_threads(2)
  conf_state();
  omp_set_num_threads(4);
#pragma omp parallel
  conf_state();
#pragma omp parallel num_threads(9)
  conf_state();
  return 0;
}

// OTHERS: ignored
// EXPECT(initial): implicit_task flags=initial endpoint=begin
// EXPECT(initial): parallel_begin requested=3 parallel=$A
// EXPECT(initial): implicit_task endpoint=begin parallel=$A team_size=3
// EXPECT(initial): implicit_task endpoint=end
// EXPECT(initial): parallel_begin requested=2 parallel=$B
// EXPECT(initial): implicit_task endpoint=begin parallel=$B team_size=2
// EXPECT(initial): implicit_task endpoint=end
// EXPECT(initial): parallel_begin requested=4 parallel=$C
// EXPECT(initial): implicit_task endpoint=begin parallel=$C team_size=4
// EXPECT(initial): implicit_task endpoint=end
// EXPECT(initial): parallel_begin requested=9 parallel=$D
// EXPECT(initial): implicit_task endpoint=begin parallel=$D team_size=4
// EXPECT(initial): implicit_task endpoint=end
// EXPECT(initial): implicit_task flags=initial endpoint=end
// COUNT: implicit_task endpoint=begin flags=implicit == 13

// 64 threads, 50 regions: each thread's implicit tasks begin and end in turn, with the thread's index.
#include <omp.h>

#include "conformance.h"

int main(void) {
  int sum = 0;
  for (int i = 0; i < 50; i++) {
#pragma omp parallel num_threads(64) reduction(+ : sum)
    sum += omp_get_num_threads();
  }
  return sum != 50 * 64 * 64;
}

// IGNORE: thread_end
// EXPECT(initial): implicit_task endpoint=begin flags=initial
// EXPECT(initial): repeat 50
// EXPECT(initial): parallel_begin requested=64 parallel=$P
// EXPECT(initial): implicit_task endpoint=begin parallel=$P task=$I index=0 team_size=64
// EXPECT(initial): implicit_task endpoint=end task=$I
// EXPECT(initial): parallel_end parallel=$P
// EXPECT(initial): end
// EXPECT(initial): implicit_task endpoint=end flags=initial
// EXPECT(worker*): repeat 49
// EXPECT(worker*): implicit_task endpoint=begin index=$N team_size=64 parallel=$P task=$W
// EXPECT(worker*): implicit_task endpoint=end index=$N parallel=none task=$W
// EXPECT(worker*): end
// EXPECT(worker*): implicit_task endpoint=begin index=$N team_size=64 task=$L
// EXPECT(worker*): implicit_task endpoint=end task=$L
// COUNT: thread_begin type=worker == 63
// COUNT: implicit_task endpoint=begin flags=implicit == 3200

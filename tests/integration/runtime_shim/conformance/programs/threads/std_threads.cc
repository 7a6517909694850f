// Threads that the program makes. Each is the initial thread of a contention group of its own, with an initial task and
// a team of its own. The task and the team end with the thread.
#include <thread>

#include "conformance.h"

static void Work() {
#pragma omp parallel num_threads(2)
  conf_mark("inside");
  conf_mark("after");
}

int main() {
  std::thread first(Work);
  first.join();
  std::thread second(Work);
  second.join();
  return 0;
}

// OTHERS: ignored
// EXPECT(initial): thread_begin type=initial
// EXPECT(initial): implicit_task endpoint=begin flags=initial task=$T parallel=$R team_size=1 index=1
// EXPECT(initial): parallel_begin task=$T requested=2 parallel=$P
// EXPECT(initial): implicit_task endpoint=begin parallel=$P task=$I team_size=2 index=0
// EXPECT(initial): mark name=inside state=work_parallel now_task=$I
// EXPECT(initial): implicit_task endpoint=end task=$I
// EXPECT(initial): parallel_end parallel=$P task=$T
// EXPECT(initial): mark name=after state=work_serial now_task=$T now_parallel=$R
// EXPECT(initial): implicit_task endpoint=end flags=initial task=$T
// EXPECT(initial): thread_end
//
// EXPECT(second): thread_begin type=initial
// EXPECT(second): implicit_task endpoint=begin flags=initial task=$T2 parallel=$R2 team_size=1 index=1
// EXPECT(second): parallel_begin task=$T2 requested=2 parallel=$P2
// EXPECT(second): implicit_task endpoint=begin parallel=$P2 task=$I2 team_size=2 index=0
// EXPECT(second): mark name=inside state=work_parallel now_task=$I2
// EXPECT(second): implicit_task endpoint=end task=$I2
// EXPECT(second): parallel_end parallel=$P2 task=$T2
// EXPECT(second): mark name=after state=work_serial now_task=$T2 now_parallel=$R2
// EXPECT(second): implicit_task endpoint=end flags=initial task=$T2
// EXPECT(second): thread_end

// Loops, single, taskwait and barriers, and a tool that does not listen to them. The shim still tells the barrier after
// a single from an explicit barrier.
// VARIANTS: -O0 | -O2
// RUNTIMES: gomp because the shim alone has other wrappers then
// RUN: CONFORMANCE_WITHOUT=work,dispatch,sync_region,sync_region_wait
#include <omp.h>

#include "conformance.h"

int main(void) {
  int arrived = 0, started = 0, sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
    const int primary = omp_get_thread_num() == 0;
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 100; i++) sum += i;
    if (primary) conf_mark("behind the loop");
    // The primary thread executes the single, where the other one waits for it.
    if (!primary) conf_await(&started, 1);
#pragma omp single
    {
      conf_raise(&started);
      conf_settle();
      conf_probe("at the barrier of a single");
      sum += 1;
    }
    if (primary) {
      conf_await(&arrived, 1);
      conf_settle();
      conf_probe("at the barrier");
    } else {
      conf_raise(&arrived);
    }
#pragma omp barrier
    if (primary) conf_mark("behind the barrier");
#pragma omp single nowait
    sum += 1;
    if (primary) {
      conf_await(&arrived, 2);
      conf_settle();
      conf_probe("at the barrier of the loop");
    } else {
      conf_raise(&arrived);
    }
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 2; i++) sum += i;
#pragma omp taskwait
    if (primary) conf_mark("behind the taskwait");
  }
  return sum != 4950 + 1 + 1 + 1;
}

// IGNORE: parallel_info
// IGNORE: task_info
// EXPECT(initial): mark name=behind_the_loop state=work_parallel now_enter=0
// EXPECT(initial): mark name=behind_the_barrier state=work_parallel now_enter=0
// EXPECT(initial): mark name=behind_the_taskwait state=work_parallel now_enter=0
// EXPECT(worker): mark name=at_the_barrier_of_a_single state=wait_barrier_implicit_workshare now_enter!=0
// EXPECT(worker): mark name=at_the_barrier state=wait_barrier_explicit now_enter!=0
// EXPECT(worker): mark name=at_the_barrier_of_the_loop state=wait_barrier_implicit_workshare now_enter!=0

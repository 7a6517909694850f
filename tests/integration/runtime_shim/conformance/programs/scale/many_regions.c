// Thousands of regions as fast as they come: no event is lost, and all are paired.
#include "conformance.h"

int main(void) {
  int sum = 0;
  for (int i = 0; i < 20000; i++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum++;
  }
  return sum != 40000;
}

// COUNT: parallel_begin requested=2 == 20000
// COUNT: parallel_end == 20000
// COUNT: implicit_task endpoint=begin flags=implicit team_size=2 == 40000
// COUNT(initial): implicit_task endpoint=end parallel=none flags=implicit == 20000
// COUNT: sync_region endpoint=begin == 40000
// COUNT: thread_begin == 2
// COUNT: dirty == 0
// COUNT: lost == 0

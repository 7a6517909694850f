// A taskloop with more tasks than libgomp defers. libgomp runs them singly, and needs no more stack than without the
// shim.
// VARIANTS: -O0 | -O2
// RUNTIMES: gomp because libomp splits so many tasks recursively
// RUN: OMP_NUM_THREADS=2
#include <stdio.h>
#include <sys/resource.h>

#include "conformance.h"

int main(void) {
  const struct rlimit stack = {1 << 20, 1 << 20};
  long sum = 0, other = 0;
  setrlimit(RLIMIT_STACK, &stack);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 20000; i++) {
#pragma omp atomic
    sum += i;
  }
#pragma omp taskloop num_tasks(20000) if (0) firstprivate(other) shared(sum)
  for (unsigned long long i = 0; i < 20000; i++) sum += i + other;
  printf("%ld\n", sum);
  return 0;
}

// STDOUT: 399980000
// COUNT: task_create flags=explicit+undeferred == 40000
// COUNT: task_schedule status=switch == 40000
// COUNT: task_schedule status=complete == 40000
// COUNT: work work=taskloop endpoint=begin count=20000 == 2

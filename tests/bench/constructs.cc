// What OpenMP constructs cost by themselves: a line "construct NAME ns N" for each, N being the least of many rounds,
// which is what a round takes that nobody disturbed. construct_cost.py runs it with the profiler and without, built by
// clang for libomp and by gcc for libgomp.
//   constructs [ROUNDS]
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>

namespace {

constexpr int kCalls = 200;  // in a round

template <typename Round>
void Measure(const char* name, int rounds, Round round) {
  round();
  double least = 1e9;
  for (int i = 0; i < rounds; i++) {
    const double begin = omp_get_wtime();
    round();
    least = std::min(least, omp_get_wtime() - begin);
  }
  printf("construct %s ns %.1f\n", name, least / kCalls * 1e9);
}

// `call` is made kCalls times by each thread of one region.
template <typename Call>
void MeasureInRegion(const char* name, int rounds, Call call) {
  Measure(name, rounds, [&] {
#pragma omp parallel
    for (int i = 0; i < kCalls; i++) call();
  });
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 300;
  volatile int sink = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
  Measure("parallel", rounds, [] {
    for (int i = 0; i < kCalls; i++) {
#pragma omp parallel
      asm volatile("" ::: "memory");
    }
  });
  MeasureInRegion("barrier", rounds, [] {
#pragma omp barrier
  });
  MeasureInRegion("for", rounds, [&] {
#pragma omp for schedule(static)
    for (int i = 0; i < 2; i++) asm volatile("" ::: "memory");
  });
  MeasureInRegion("for_dynamic", rounds, [&] {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 16; i++) asm volatile("" ::: "memory");
  });
  MeasureInRegion("single", rounds, [] {
#pragma omp single
    asm volatile("" ::: "memory");
  });
  MeasureInRegion("critical", rounds, [&] {
#pragma omp critical
    sink = sink + 1;
  });
  Measure("lock_uncontended", rounds, [&] {
    for (int i = 0; i < kCalls; i++) {
      omp_set_lock(&lock);
      omp_unset_lock(&lock);
    }
  });
  Measure("task", rounds, [&] {
#pragma omp parallel
#pragma omp single
    {
      for (int i = 0; i < kCalls; i++) {
#pragma omp task
        asm volatile("" ::: "memory");
      }
#pragma omp taskwait
    }
  });
  // Each thread runs what it made: where one thread makes tasks for all, the way they take to the others is measured.
  MeasureInRegion("task_waited", rounds, [] {
#pragma omp task
    asm volatile("" ::: "memory");
#pragma omp taskwait
  });
  MeasureInRegion("task_undeferred", rounds, [] {
#pragma omp task if (0)
    asm volatile("" ::: "memory");
  });
  // A runtime may run it as a part of the task that creates it.
  MeasureInRegion("task_merged", rounds, [] {
#pragma omp task if (0) mergeable
    asm volatile("" ::: "memory");
  });
  // With nothing to wait for.
  MeasureInRegion("taskwait", rounds, [] {
#pragma omp taskwait
  });
  omp_destroy_lock(&lock);
  return 0;
}

// The cost of OpenMP constructs by themselves, a line "construct NAME ns N" each. N is the least of many rounds: the
// time of a round that nothing disturbed. construct_cost.py runs the program with the profiler and without. Clang
// builds it for libomp, gcc for libgomp.
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

// Each thread of one region makes `call` kCalls times.
template <typename Call>
void MeasureInRegion(const char* name, int rounds, Call call) {
  Measure(name, rounds, [&] {
#pragma omp parallel
    for (int i = 0; i < kCalls; i++) call();
  });
}

void MeasureRegion(int rounds) {
  Measure("parallel", rounds, [] {
    for (int i = 0; i < kCalls; i++) {
#pragma omp parallel
      asm volatile("" ::: "memory");
    }
  });
}

void MeasureWorksharing(int rounds) {
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
}

void MeasureLocks(int rounds) {
  volatile int sink = 0;
  MeasureInRegion("critical", rounds, [&] {
#pragma omp critical
    sink = sink + 1;
  });
  omp_lock_t lock;
  omp_init_lock(&lock);
  Measure("lock_uncontended", rounds, [&] {
    for (int i = 0; i < kCalls; i++) {
      omp_set_lock(&lock);
      omp_unset_lock(&lock);
    }
  });
  omp_destroy_lock(&lock);
}

void MeasureTasks(int rounds) {
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
  // Each thread runs its own tasks. Where one thread makes tasks for all, their way to the others is measured.
  MeasureInRegion("task_waited", rounds, [] {
#pragma omp task
    asm volatile("" ::: "memory");
#pragma omp taskwait
  });
  MeasureInRegion("task_undeferred", rounds, [] {
#pragma omp task if (0)
    asm volatile("" ::: "memory");
  });
  // A runtime may run a merged task as a part of the task that creates it.
  MeasureInRegion("task_merged", rounds, [] {
#pragma omp task if (0) mergeable
    asm volatile("" ::: "memory");
  });
  // There is no task to wait for.
  MeasureInRegion("taskwait", rounds, [] {
#pragma omp taskwait
  });
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 300;
  MeasureRegion(rounds);
  MeasureWorksharing(rounds);
  MeasureLocks(rounds);
  MeasureTasks(rounds);
  return 0;
}

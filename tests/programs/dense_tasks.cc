// Tasks so small that making and running them takes most of the time. They show the profiler's cost for each task. One
// thread makes the tasks. A second part does as much work without tasks.
//
// usage: dense_tasks [TASKS]
#include "tests/programs/truth.h"

namespace {

long done = 0;

__attribute__((noinline)) void tiny_work(long rounds) {
  volatile long sink = 0;
  for (long i = 0; i < rounds; ++i) sink = sink + i;
}

__attribute__((noinline)) void many_tasks(long tasks) {
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < tasks; ++i) {
#pragma omp task
    {
      tiny_work(10);
#pragma omp atomic
      done += 1;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const long tasks = argc > 1 ? atol(argv[1]) : 1000000;
  many_tasks(tasks);
  tiny_work(tasks * 10);
  printf("truth tasks %ld\n", done);
  truth::PrintProcess();
  return 0;
}

// A fixed amount of work, however long it takes: the difference between two runs is the profiler's cost.
//   fixed_work [ROUNDS]
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile double sink;
__attribute__((noinline)) static void fixed_work(long rounds) {
  for (long i = 0; i < rounds * 1000; i++) sink = sink + 1;
}

int main(int argc, char** argv) {
  fixed_work(argc > 1 ? atol(argv[1]) : 200000);
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  printf("truth process cpu_ns %.0f\n", (double)now.tv_sec * 1e9 + (double)now.tv_nsec);
  return 0;
}

// The places of the threads: the runtime's own display of affinity, places and each thread's mask.
//
// RUN: OMP_NUM_THREADS=2 OMP_PROC_BIND=close OMP_PLACES=cores
// RUN: OMP_NUM_THREADS=2 OMP_PROC_BIND=spread OMP_PLACES=threads
// RUN: OMP_NUM_THREADS=2 OMP_PROC_BIND=true
// RUN: OMP_NUM_THREADS=4 OMP_PROC_BIND=false OMP_PLACES={0},{1}
// RUN: OMP_NUM_THREADS=2 OMP_PLACES={1},{0} OMP_DISPLAY_AFFINITY=true OMP_AFFINITY_FORMAT=%n/%N:%A
// RUN: OMP_NUM_THREADS=2 GOMP_CPU_AFFINITY=1,0
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>

int main(void) {
  printf("places %d bind %d\n", omp_get_num_places(), (int)omp_get_proc_bind());
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < omp_get_num_threads(); i++) {
    cpu_set_t mask;
    sched_getaffinity(0, sizeof(mask), &mask);
    int first = 0;
    while (!CPU_ISSET(first, &mask)) first++;
#pragma omp ordered
    printf("thread %d place %d processors %d from %d\n", omp_get_thread_num(), omp_get_place_num(), CPU_COUNT(&mask),
           first);
  }
  char text[256];
  omp_capture_affinity(text, sizeof(text), "%L %n %N %A");
  printf("%s\n", text);
  return 0;
}

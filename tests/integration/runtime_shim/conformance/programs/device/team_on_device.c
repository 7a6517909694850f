// OpenMP in a region on a device is the device's: the tool hears of no thread, region or mutex there, also from the team's
// other threads. A region on the host afterwards is heard.
//
// DEVICES: 1
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

int main(void) {
  int on_host = 0, sum = 0;
  for (int i = 0; i < 3; i++) {
#pragma omp target map(tofrom : on_host, sum)
#pragma omp parallel num_threads(3) reduction(+ : on_host)
    {
      on_host += omp_is_initial_device();
#pragma omp barrier
#pragma omp critical
      sum++;
#pragma omp for schedule(dynamic, 1)
      for (int k = 0; k < 6; k++) {
      }
    }
  }
#pragma omp parallel num_threads(2)
  {
#pragma omp critical(host)
    sum++;
  }
  printf("on_host %d sum %d\n", on_host, sum);
  return 0;
}

// COUNT: thread_begin == 2
// COUNT: parallel_begin == 1
// COUNT: implicit_task endpoint=begin flags=implicit == 2
// COUNT: mutex_acquired == 2
// COUNT: work == 0
// COUNT: target_submit_emi endpoint=begin == 3
// STDOUT: on_host 0 sum 11

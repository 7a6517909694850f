// Deferred regions that share a variable on the device: libgomp frees the first one's memory with the last one's. All have
// ended when the taskwait has. Regions without variables too.
//
// DEVICES: 1
#include <stdio.h>

#include "conformance.h"

int main(void) {
  int shared_value = 3, results[4] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 4; i++)
#pragma omp target nowait map(to : shared_value) map(from : results[i])
      results[i] = shared_value + i;
    for (int i = 0; i < 3; i++)
#pragma omp target nowait
    {
    }
#pragma omp taskwait
    conf_mark("after");
  }
  printf("%d %d\n", results[0], results[3]);
  return 0;
}

// IGNORE: mark task_info
// COUNT: target_emi kind=target_nowait endpoint=begin == 7
// COUNT: target_emi kind=target_nowait endpoint=end == 7
// COUNT: target_submit_emi endpoint=begin == 7
// COUNT: task_create flags=target == 7
// STDOUT: 3 6

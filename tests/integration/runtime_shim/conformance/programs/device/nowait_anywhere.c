// Two target tasks on a device of any runtime, the second behind the first. Each launches once, on whatever thread.
//
// DEVICES: 1 gomp omptarget
// VARIANTS: -O0 | -O2
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

int main(void) {
  int value = 2;
  omp_get_max_threads();
#pragma omp parallel num_threads(1)
  {
#pragma omp target nowait map(tofrom : value) depend(inout : value)
    value *= 5;
#pragma omp target nowait map(tofrom : value) depend(inout : value)
    value += 1;
#pragma omp taskwait
  }
  printf("value %d\n", value);
  return 0;
}

// COUNT: task_create has_dependences=1 flags=target|target+untied == 2
// COUNT: target_emi endpoint=begin device=0 == 2
// COUNT: target_emi endpoint=end device=0 == 2
// COUNT: target_submit_emi endpoint=begin == 2
// COUNT: target_submit_emi endpoint=end == 2
// COUNT: target_data_op_emi endpoint=begin type=transfer_to_device >= 2
// COUNT: target_data_op_emi endpoint=begin type=transfer_from_device bytes=4 == 2
// STDOUT: value 11

// A tool that registers the callbacks without _emi, on a device of any runtime: one event for each operation.
//
// DEVICES: 1 gomp omptarget
// RUN: CONFORMANCE_WITHOUT=target_emi,target_data_op_emi,target_submit_emi,target_map_emi
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

enum { kCount = 10000 };
static double x[kCount];

int main(void) {
  omp_get_max_threads();
#pragma omp target map(tofrom : x)
  x[3] += 4;
  printf("value %g\n", x[3]);
  return 0;
}

// COUNT: target kind=target endpoint=begin device=0 == 1
// COUNT: target kind=target endpoint=end device=0 == 1
// COUNT: target_submit teams=1 == 1
// COUNT: target_data_op type=transfer_to_device bytes=80000 == 1
// COUNT: target_data_op type=transfer_from_device bytes=80000 == 1
// COUNT: target_data_op type=alloc == 1
// COUNT: target_data_op type=delete == 1
// STDOUT: value 4

// enter data, update and exit data on a device of any runtime: the array travels when the program says so.
//
// DEVICES: 1 gomp omptarget
// VARIANTS: -O0 | -O2
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

enum { kCount = 10000 };
static double x[kCount];

int main(void) {
  omp_get_max_threads();
  conf_note("x", (uint64_t)(uintptr_t)x);
#pragma omp target enter data map(to : x)
  x[1] = 3;
#pragma omp target update to(x)
#pragma omp target map(alloc : x)
  x[1] += 1;
#pragma omp target exit data map(from : x)
  printf("value %g\n", x[1]);
  return 0;
}

// OBSERVE: target target_data_op target_submit
// IGNORE: task_create task_schedule implicit_task target_map_emi map_item device_initialize device_load device_finalize
// EXPECT(initial): note name=x value=$X
// EXPECT(initial): target_emi kind=enter_data endpoint=begin device=0 target=$R1
// EXPECT(initial): target_data_op_emi endpoint=begin type=alloc target=$R1
// EXPECT(initial): target_data_op_emi endpoint=end type=alloc target=$R1 destination=$D
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device target=$R1 source=$X destination=$D bytes=80000
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device target=$R1 source=$X destination=$D bytes=80000
// EXPECT(initial): target_emi kind=enter_data endpoint=end target=$R1
// EXPECT(initial): target_emi kind=update endpoint=begin device=0 target=$R2
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device target=$R2 source=$X destination=$D bytes=80000
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device target=$R2 source=$X destination=$D bytes=80000
// EXPECT(initial): target_emi kind=update endpoint=end target=$R2
// EXPECT(initial): target_emi kind=target endpoint=begin device=0 target=$R3
// EXPECT(initial): * target_data_op_emi type=alloc target=$R3
// EXPECT(initial): * target_data_op_emi type=transfer_to_device target=$R3 bytes=8
// EXPECT(initial): target_submit_emi endpoint=begin target=$R3
// EXPECT(initial): target_submit_emi endpoint=end target=$R3
// EXPECT(initial): * target_data_op_emi type=delete target=$R3
// EXPECT(initial): target_emi kind=target endpoint=end target=$R3
// EXPECT(initial): target_emi kind=exit_data endpoint=begin device=0 target=$R4
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_from_device target=$R4 source=$D destination=$X bytes=80000
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_from_device target=$R4 source=$D destination=$X bytes=80000
// EXPECT(initial): target_data_op_emi endpoint=begin type=delete target=$R4 source=$D
// EXPECT(initial): target_data_op_emi endpoint=end type=delete target=$R4 source=$D
// EXPECT(initial): target_emi kind=exit_data endpoint=end target=$R4
// STDOUT: value 4

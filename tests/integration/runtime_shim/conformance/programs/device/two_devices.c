// Two devices, each initialized at its first use, and copies between them. A memory routine is one event.
//
// DEVICES: 2
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

int main(void) {
  int value = 6;
  const int host = omp_get_initial_device();
  int* on_second = omp_target_alloc(sizeof(int), 1);
  omp_target_memcpy(on_second, &value, sizeof(int), 0, 0, 1, host);
  value = 0;
#pragma omp target map(tofrom : value) device(0)
  value = 1;
#pragma omp target is_device_ptr(on_second) device(1)
  *on_second += 1;
  omp_target_memcpy(&value, on_second, sizeof(int), 0, 0, host, 1);
  omp_target_free(on_second, 1);
  printf("value %d of %d devices\n", value, omp_get_num_devices());
  return 0;
}

// OBSERVE: device_initialize device_finalize
// IGNORE: target_emi target_submit_emi target_map_emi map_item task_create task_schedule implicit_task
// EXPECT(initial): target_data_op_emi endpoint=begin type=alloc target=none destination_device=1 bytes=4
// EXPECT(initial): device_initialize device=1
// EXPECT(initial): target_data_op_emi endpoint=end type=alloc destination=$D destination_device=1
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device source_device=2 destination=$D destination_device=1 operation=$A
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device source_device=2 destination=$D operation=$A
// EXPECT(initial): device_initialize device=0
// EXPECT(initial): target_data_op_emi endpoint=begin type=alloc destination_device=0
// EXPECT(initial): target_data_op_emi endpoint=end type=alloc destination_device=0
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device destination_device=0
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device destination_device=0
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_from_device source_device=0
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_from_device source_device=0
// EXPECT(initial): target_data_op_emi endpoint=begin type=delete source_device=0
// EXPECT(initial): target_data_op_emi endpoint=end type=delete source_device=0
// EXPECT(initial): * target_data_op_emi target!=none
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_from_device target=none source=$D source_device=1 destination_device=2
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_from_device source=$D
// EXPECT(initial): target_data_op_emi endpoint=begin type=delete target=none source=$D source_device=1
// EXPECT(initial): target_data_op_emi endpoint=end type=delete source=$D
// EXPECT(initial): device_finalize device=0
// EXPECT(initial): device_finalize device=1
// STDOUT: value 7 of 2 devices

// A tool that registers the callbacks without _emi: one event for each operation, with ids that the runtime gives.
//
// DEVICES: 1
// RUN: CONFORMANCE_WITHOUT=target_emi,target_data_op_emi,target_submit_emi,target_map_emi
#include <stdio.h>

#include "conformance.h"

int main(void) {
  int value = 1;                        // AT(target)
#pragma omp target map(tofrom : value)  // AT(target)
  value += 4;
  printf("value %d\n", value);
  return 0;
}

// IGNORE: task_create task_schedule implicit_task
// EXPECT(initial): device_initialize device=0
// EXPECT(initial): target kind=target endpoint=begin device=0 target=$R codeptr=@target {R > 0}
// EXPECT(initial): target_data_op type=alloc target=$R operation=$A destination=$D destination_device=0 codeptr=@target {A > R and D > 0}
// EXPECT(initial): target_data_op type=transfer_to_device target=$R operation=$B source_device=1 destination=$D destination_device=0 bytes=12 {B > A}
// EXPECT(initial): target_map target=$R items=1 codeptr=@target
// EXPECT(initial): map_item bytes=4 flags=to+from
// EXPECT(initial): target_submit target=$R operation=$O teams=1 {O > B}
// EXPECT(initial): target_data_op type=transfer_from_device target=$R operation=$C source_device=0 destination_device=1 bytes=4 {C > O}
// EXPECT(initial): target_data_op type=delete target=$R operation=$E source=$D source_device=0 {E > C}
// EXPECT(initial): target kind=target endpoint=end device=0 target=$R
// EXPECT(initial): device_finalize device=0
// STDOUT: value 5

// enter data, update, exit data, and a target data region around a region, on a device. The map clauses come at the end of
// an entry and at the begin of an exit.
//
// DEVICES: 1
// VARIANTS: -O0 | -O2
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

enum { kCount = 10000 };
static double x[kCount];

int main(void) {
  omp_get_max_threads();                   // starts the tool, which hears no note before
  conf_note("x", (uint64_t)(uintptr_t)x);  // AT(enter)
#pragma omp target enter data map(to : x)  // AT(enter)
  x[1] = 3;                                // AT(update)
#pragma omp target update to(x)            // AT(update)
  conf_note("region", 0);                  // AT(data)
#pragma omp target data map(tofrom : x)    // AT(data)
  {
    conf_note("inside", 0);                 // AT(target)
#pragma omp target map(always, tofrom : x)  // AT(target)
    x[1] += 1;
  }                                           // AT(data)
  conf_note("exit", 0);                       // AT(exit)
#pragma omp target exit data map(from : x)    // AT(exit)
  conf_note("delete", 0);                     // AT(delete)
#pragma omp target enter data map(alloc : x)  // AT(delete)
#pragma omp target exit data map(delete : x)  // AT(delete)
  printf("value %g\n", x[1]);
  return 0;
}

// OBSERVE: target target_data_op target_submit target_map
// IGNORE: task_create task_schedule implicit_task device_initialize device_finalize
// EXPECT(initial): note name=x value=$X
// EXPECT(initial): target_emi kind=enter_data endpoint=begin device=0 target=$R1 codeptr=@enter
// EXPECT(initial): target_data_op_emi endpoint=begin type=alloc target=$R1 state=wait_target_map
// EXPECT(initial): target_data_op_emi endpoint=end type=alloc target=$R1 destination=$D
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device source=$X destination=$D bytes=80000
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device source=$X destination=$D bytes=80000
// EXPECT(initial): target_map_emi target=$R1 items=1 codeptr=@enter
// EXPECT(initial): map_item host=$X on_device=$D bytes=80000 flags=to
// EXPECT(initial): target_emi kind=enter_data endpoint=end target=$R1
// EXPECT(initial): target_emi kind=update endpoint=begin device=0 target=$R2 codeptr=@update
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device target=$R2 source=$X destination=$D bytes=80000 state=wait_target_update
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device target=$R2 source=$X destination=$D bytes=80000
// EXPECT(initial): target_emi kind=update endpoint=end target=$R2
// EXPECT(initial): note name=region
// EXPECT(initial): target_emi kind=enter_data endpoint=begin device=0 target_task=none target=$R3 codeptr=@data
// EXPECT(initial): target_map_emi target=$R3 items=1 codeptr=@data
// EXPECT(initial): map_item host=$X on_device=$D bytes=80000 flags=to+from
// EXPECT(initial): target_emi kind=enter_data endpoint=end target=$R3
// EXPECT(initial): note name=inside
// EXPECT(initial): target_emi kind=target endpoint=begin device=0 target=$R4 codeptr=@target
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device target=$R4 destination=$D bytes=80000
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device target=$R4 destination=$D bytes=80000
// EXPECT(initial): target_data_op_emi endpoint=begin type=alloc target=$R4
// EXPECT(initial): target_data_op_emi endpoint=end type=alloc target=$R4 destination=$D4
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device target=$R4 destination=$D4 bytes=8
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device target=$R4 destination=$D4 bytes=8
// EXPECT(initial): target_map_emi target=$R4 items=1 codeptr=@target
// EXPECT(initial): map_item host=$X on_device=$D bytes=80000 flags=to+from
// EXPECT(initial): target_submit_emi endpoint=begin target=$R4
// EXPECT(initial): target_submit_emi endpoint=end target=$R4
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_from_device target=$R4 source=$D destination=$X bytes=80000
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_from_device target=$R4 source=$D destination=$X bytes=80000
// EXPECT(initial): target_data_op_emi endpoint=begin type=delete target=$R4 source=$D4
// EXPECT(initial): target_data_op_emi endpoint=end type=delete target=$R4 source=$D4
// EXPECT(initial): target_emi kind=target endpoint=end target=$R4
// EXPECT(initial): target_emi kind=exit_data endpoint=begin device=0 target_task=none target=$R5
// EXPECT(initial): target_emi kind=exit_data endpoint=end target=$R5
// EXPECT(initial): note name=exit
// EXPECT(initial): target_emi kind=exit_data endpoint=begin device=0 target=$R6 codeptr=@exit
// EXPECT(initial): target_map_emi target=$R6 items=1 codeptr=@exit
// EXPECT(initial): map_item host=$X on_device=$D bytes=80000 flags=from
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_from_device target=$R6 source=$D destination=$X bytes=80000
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_from_device target=$R6 source=$D destination=$X bytes=80000
// EXPECT(initial): target_data_op_emi endpoint=begin type=delete target=$R6 source=$D
// EXPECT(initial): target_data_op_emi endpoint=end type=delete target=$R6 source=$D
// EXPECT(initial): target_emi kind=exit_data endpoint=end target=$R6
// EXPECT(initial): note name=delete
// EXPECT(initial): target_emi kind=enter_data endpoint=begin codeptr=@delete
// EXPECT(initial): target_data_op_emi endpoint=begin type=alloc
// EXPECT(initial): target_data_op_emi endpoint=end type=alloc destination=$D7
// EXPECT(initial): target_map_emi items=1
// EXPECT(initial): map_item host=$X on_device=$D7 bytes=80000 flags=alloc
// EXPECT(initial): target_emi kind=enter_data endpoint=end
// EXPECT(initial): target_emi kind=exit_data endpoint=begin codeptr=@delete
// EXPECT(initial): target_map_emi items=1
// EXPECT(initial): map_item host=$X on_device=$D7 flags=delete
// EXPECT(initial): target_data_op_emi endpoint=begin type=delete source=$D7
// EXPECT(initial): target_data_op_emi endpoint=end type=delete source=$D7
// EXPECT(initial): target_emi kind=exit_data endpoint=end
// STDOUT: value 4

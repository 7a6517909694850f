// A target region on a device: the device begins, then the target task with its region. Within, each operation of the
// device, the map clauses and the submission. No initial task runs on the host. The device ends before the initial task.
//
// DEVICES: 1
// VARIANTS: -O0 | -O2
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

enum { kCount = 10000 };  // libgomp merges no copy of this size
static double in[kCount], out[kCount];

int main(void) {
  omp_get_max_threads();  // starts the tool, which hears no note before
  in[5] = 7;
  conf_note("in", (uint64_t)(uintptr_t)in);
  conf_note("out", (uint64_t)(uintptr_t)out);    // AT(target)
#pragma omp target map(to : in) map(from : out)  // AT(target)
  out[6] = in[5] + 1;
  conf_mark("after");
  printf("value %g\n", out[6]);
  return 0;
}

// OBSERVE: target target_data_op target_submit target_map
// EXPECT(tool): set_callback callback=device_initialize result=always
// EXPECT(tool): set_callback callback=device_finalize result=always
// EXPECT(tool): set_callback callback=target_data_op_emi result=always
// EXPECT(tool): set_callback callback=target_map_emi result=always
//
// EXPECT(initial): implicit_task endpoint=begin flags=initial task=$T0
// EXPECT(initial): note name=in value=$IN
// EXPECT(initial): note name=out value=$OUT
// EXPECT(initial): task_create task=$T0 new_task=$T flags=target+undeferred has_dependences=0 codeptr=@target frame_enter=$E state=wait_target
// EXPECT(initial): device_initialize device=0 type=reference traces=1
// EXPECT(initial): task_schedule prior=$T0 status=switch next=$T
// EXPECT(initial): target_emi kind=target endpoint=begin device=0 task=$T0 target_task=$T target=$R codeptr=@target now_task=$T
// EXPECT(initial): target_data_op_emi endpoint=begin type=alloc target_task=$T target=$R source=0 source_device=1 destination=0 destination_device=0 operation=$A codeptr=@target now_task=$T state=wait_target {A > 0}
// EXPECT(initial): target_data_op_emi endpoint=end type=alloc target=$R destination=$D destination_device=0 bytes=$N operation=$A {N > 160000}
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device target=$R source=$IN source_device=1 destination=$DIN destination_device=0 bytes=80000 operation=$B {B > A and D < DIN}
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device target=$R source=$IN destination=$DIN bytes=80000 operation=$B
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device target=$R destination=$D bytes=16
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device target=$R destination=$D bytes=16
// EXPECT(initial): target_map_emi target=$R items=2 codeptr=@target now_task=$T
// EXPECT(initial): ~ map_item host=$IN on_device=$DIN bytes=80000 flags=to
// EXPECT(initial): ~ map_item host=$OUT on_device=$DOUT bytes=80000 flags=from {DOUT > D}
// EXPECT(initial): target_submit_emi endpoint=begin target=$R teams=1 operation=$O now_task=$T {O > B}
// EXPECT(initial): target_submit_emi endpoint=end target=$R teams=1 operation=$O
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_from_device target=$R source=$DOUT source_device=0 destination=$OUT destination_device=1 bytes=80000 operation=$C
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_from_device target=$R source=$DOUT destination=$OUT bytes=80000 operation=$C
// EXPECT(initial): target_data_op_emi endpoint=begin type=delete target=$R source=$D source_device=0 destination_device=1 bytes=0
// EXPECT(initial): target_data_op_emi endpoint=end type=delete target=$R source=$D
// EXPECT(initial): target_emi kind=target endpoint=end device=0 task=$T0 target_task=$T target=$R codeptr=@target now_task=$T
// EXPECT(initial): task_schedule prior=$T status=complete next=$T0
// EXPECT(initial): mark name=after state=work_serial now_task=$T0 now_enter=0
// EXPECT(initial): task_info level=0 task=$T0
// EXPECT(initial): device_finalize device=0
// EXPECT(initial): implicit_task endpoint=end flags=initial task=$T0
// STDOUT: value 8

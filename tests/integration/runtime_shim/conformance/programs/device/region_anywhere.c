// A target region on a device of any runtime: the region with its launch, and the copies of its map clauses.
//
// DEVICES: 1 gomp omptarget
// VARIANTS: -O0 | -O2
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

enum { kCount = 10000 };
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

// OBSERVE: target target_submit
// IGNORE: task_create task_schedule implicit_task target_map_emi map_item device_load
// EXPECT(tool): set_callback callback=device_initialize result=always
// EXPECT(tool): set_callback callback=device_finalize result=always
// EXPECT(tool): set_callback callback=device_load result=always
// EXPECT(tool): set_callback callback=target_emi result=always
// EXPECT(tool): set_callback callback=target_data_op_emi result=always
// EXPECT(tool): set_callback callback=target_submit_emi result=always
// EXPECT(initial)[omptarget devices-at-the-start]: device_initialize device=0 traces=1
// EXPECT(initial)[omptarget devices-at-the-start]: device_initialize device=1 traces=1
// EXPECT(initial)[omptarget devices-at-the-start]: device_initialize device=2 traces=1
// EXPECT(initial)[omptarget devices-at-the-start]: device_initialize device=3 traces=1
// EXPECT(initial): note name=in value=$IN
// EXPECT(initial): note name=out value=$OUT
// EXPECT(initial)[gomp devices-at-the-start]: device_initialize device=0 type=reference traces=1
// EXPECT(initial): target_emi kind=target endpoint=begin device=0 target=$R
// EXPECT(initial): + target_data_op_emi type=alloc target=$R destination_device=0
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device target=$R source=$IN destination=$DIN destination_device=0 bytes=80000 operation=$B
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device target=$R source=$IN destination=$DIN bytes=80000 operation=$B
// EXPECT(initial): * target_data_op_emi type=transfer_to_device target=$R bytes=16
// EXPECT(initial)[gomp target-states]: target_submit_emi endpoint=begin target=$R teams=1 operation=$O state=wait_target {O > B}
// EXPECT(initial)[omptarget target-states]: target_submit_emi endpoint=begin target=$R teams=1 operation=$O state=work_serial {O > B}
// EXPECT(initial): target_submit_emi endpoint=end target=$R teams=1 operation=$O
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_from_device target=$R source=$DOUT source_device=0 destination=$OUT bytes=80000 operation=$C {C > O}
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_from_device target=$R source=$DOUT destination=$OUT bytes=80000 operation=$C
// EXPECT(initial): + target_data_op_emi type=delete target=$R source_device=0
// EXPECT(initial): target_emi kind=target endpoint=end device=0 target=$R
// EXPECT(initial): mark name=after state=work_serial
// EXPECT(initial): task_info level=0
// EXPECT(initial): device_finalize device=0
// EXPECT(initial)[omptarget devices-at-the-start]: device_finalize device=1
// EXPECT(initial)[omptarget devices-at-the-start]: device_finalize device=2
// EXPECT(initial)[omptarget devices-at-the-start]: device_finalize device=3
// STDOUT: value 8

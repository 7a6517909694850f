// omp_target_memset and omp_target_memset_async: transfers without a source. -5 is omp_default_device, here device 0,
// for routines and for constructs.
//
// DEVICES: 1
// NEEDS: omp_target_memset omp_target_memset_async
// VARIANTS: -O0 | -O2
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

typedef void* Fill(void*, int, size_t, int);
typedef void* FillInTask(void*, int, size_t, int, int, omp_depend_t*);

int main(void) {
  const int host = omp_get_initial_device(), named_default = -5, named_host = -1;
  Fill* fill = (Fill*)dlvsym(RTLD_DEFAULT, "omp_target_memset", "GOMP_6.0.1");
  FillInTask* fill_in_task = (FillInTask*)dlvsym(RTLD_DEFAULT, "omp_target_memset_async", "GOMP_6.0.1");
  char bytes[4] = {0};
  void* memory = omp_target_alloc(sizeof(bytes), 0);
  conf_note("memory", (uintptr_t)memory);
  int same = fill(memory, 'a', sizeof(bytes), named_default) == memory;  // AT(fill)
#pragma omp parallel num_threads(1)
  {
    same += fill_in_task((char*)memory + 1, 'b', 2, 0, 0, NULL) == (char*)memory + 1;  // AT(task)
#pragma omp taskwait
  }
  const int failed = omp_target_memcpy(bytes, memory, sizeof(bytes), 0, 0, named_host, named_default);
  same += fill(bytes + 3, 'c', 1, host) == bytes + 3;
  int value = 1;
#pragma omp target map(tofrom : value) device(named_default)  // AT(region)
  value += 1;
  omp_target_free(memory, 0);
  printf("same %d failed %d value %d %.4s\n", same, failed, value, bytes);
  return 0;
}

// IGNORE: implicit_task
// EXPECT(initial): target_data_op_emi endpoint=begin type=alloc
// EXPECT(initial): target_data_op_emi endpoint=end type=alloc
// EXPECT(initial): note name=memory value=$M
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device target_task=none operation=$O source=0 source_device=$H destination=$M destination_device=0 bytes=4 codeptr=@fill
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device operation=$O
// EXPECT(initial): task_create task=$T new_task=$A flags=target has_dependences=0 codeptr=@task
// EXPECT(initial): task_schedule prior=$T status=switch next=$A
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device target_task=$A source=0 destination_device=0 bytes=2 codeptr=@task
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device target_task=$A bytes=2
// EXPECT(initial): task_schedule prior=$A status=complete next=$T
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_from_device source=$M source_device=0 destination_device=$H bytes=4
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_from_device
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device source=0 destination_device=$H bytes=1
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device bytes=1
// EXPECT(initial): task_create new_task=$R flags=target+undeferred codeptr=@region
// EXPECT(initial): task_schedule next=$R
// EXPECT(initial): + target_data_op_emi target_task=$R
// EXPECT(initial): task_schedule prior=$R
// EXPECT(initial): target_data_op_emi endpoint=begin type=delete source=$M
// EXPECT(initial): target_data_op_emi endpoint=end type=delete source=$M
// STDOUT: same 3 failed 0 value 2 abbc

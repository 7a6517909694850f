// The asynchronous memory routines on a device: the operation is the task's, and the device's copy is no second one.
//
// DEVICES: 1
// VARIANTS: -O0 | -O2
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

typedef int Copy(void*, const void*, size_t, size_t, size_t, int, int, int, omp_depend_t*);

int main(void) {
  const int host = omp_get_initial_device();
  Copy* copy = (Copy*)dlvsym(RTLD_DEFAULT, "omp_target_memcpy_async", "OMP_5.1.1");
  int value = 7, back = 0, failed = 0;
  void* memory = omp_target_alloc(sizeof(int), 0);
  conf_note("memory", (uintptr_t)memory);
#pragma omp parallel num_threads(1)
  {
    omp_depend_t object;
#pragma omp depobj(object) depend(inout : value)
    failed += copy(memory, &value, sizeof(int), 0, 0, 0, host, 1, &object);  // AT(to)
    failed += copy(&back, memory, sizeof(int), 0, 0, host, 0, 1, &object);   // AT(from)
#pragma omp taskwait
#pragma omp depobj(object) destroy
  }
  omp_target_free(memory, 0);
  printf("failed %d back %d\n", failed, back);
  return 0;
}

// IGNORE: implicit_task
// EXPECT(initial): target_data_op_emi endpoint=begin type=alloc
// EXPECT(initial): target_data_op_emi endpoint=end type=alloc
// EXPECT(initial): note name=memory value=$M
// EXPECT(initial): task_create task=$T new_task=$A flags=target has_dependences=1 codeptr=@to
// EXPECT(initial): task_create task=$T new_task=$B flags=target has_dependences=1 codeptr=@from
// EXPECT(initial): task_dependence source=$A sink=$B
// EXPECT(initial): task_schedule prior=$T status=switch next=$A
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device target_task=$A destination=$M destination_device=0 bytes=4 codeptr=@to
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device target_task=$A
// EXPECT(initial): task_schedule prior=$A status=complete next=$T
// EXPECT(initial): task_schedule prior=$T status=switch next=$B
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_from_device target_task=$B source=$M source_device=0 bytes=4 codeptr=@from
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_from_device target_task=$B
// EXPECT(initial): task_schedule prior=$B status=complete next=$T
// EXPECT(initial): target_data_op_emi endpoint=begin type=delete source=$M
// EXPECT(initial): target_data_op_emi endpoint=end type=delete source=$M
// STDOUT: failed 0 back 7

// The asynchronous memory routines, with the host as the device: each is a target task. The first waits for a task of
// the program, by a depend object. libgomp has the routines since GCC 13. The shim needs those without `async` alone.
//
// RUNTIMES: gomp because libomp 14 has no target events
// VARIANTS: -O0 | -O2
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

typedef int Copy(void*, const void*, size_t, size_t, size_t, int, int, int, omp_depend_t*);
typedef int CopyRectangle(void*, const void*, size_t, int, const size_t*, const size_t*, const size_t*, const size_t*,
                          const size_t*, int, int, int, omp_depend_t*);

int main(void) {
  const int host = omp_get_initial_device();
  char from[100], to[100] = {0};
  int x = 0;
  for (int i = 0; i < 100; i++) from[i] = (char)i;
#pragma omp parallel num_threads(1)
  {
    Copy* copy = (Copy*)dlvsym(RTLD_DEFAULT, "omp_target_memcpy_async", "OMP_5.1.1");
    CopyRectangle* copy_rectangle = (CopyRectangle*)dlvsym(RTLD_DEFAULT, "omp_target_memcpy_rect_async", "OMP_5.1.1");
    conf_note("x", (uintptr_t)&x);
    conf_note("from", (uintptr_t)from);
    conf_note("to", (uintptr_t)to);
    omp_depend_t object;
#pragma omp depobj(object) depend(in : x)
#pragma omp task depend(out : x) shared(from)
    from[20] = 77;
    int failed = copy(to, from, 50, 10, 20, host, host, 1, &object);  // AT(copy)
    conf_mark(to[10] == 0 ? "goes_on" : "waited");
#pragma omp taskwait
    const size_t volume[2] = {2, 3}, offsets[2] = {0, 0}, dimensions[2] = {4, 4};
    failed += copy_rectangle(to, from, 1, 2, volume, offsets, offsets, dimensions, dimensions, host, host, 0, NULL);
#pragma omp taskwait
#pragma omp depobj(object) destroy
    // Outside of a team's queue there is no deferred task: a final task's are executed at once.
#pragma omp task final(1) shared(to, from, failed)
    failed += copy(to, from, 1, 99, 99, host, host, 0, NULL);  // AT(final)
#pragma omp taskwait
    printf("failed %d copied %d %d %d %d\n", failed, to[10], to[59], to[6], to[99]);
  }
  return 0;
}

// OTHERS: ignored
// IGNORE: implicit_task
// OBSERVE: dependences task_dependence
// EXPECT(initial): note name=x value=$X
// EXPECT(initial): note name=from value=$F
// EXPECT(initial): note name=to value=$G
// EXPECT(initial): task_create task=$T new_task=$A
// EXPECT(initial): dependences task=$A count=1
// EXPECT(initial): task_create task=$T new_task=$C flags=target has_dependences=1 codeptr=@copy
// EXPECT(initial): dependences task=$C count=1
// EXPECT(initial): task_dependence source=$A sink=$C
// EXPECT(initial): mark name=goes_on now_task=$T state=work_parallel now_enter=0
// EXPECT(initial): + task_info name=goes_on
// EXPECT(initial): task_schedule prior=$T status=switch next=$A
// EXPECT(initial): task_schedule prior=$A status=complete next=$T
// EXPECT(initial): task_schedule prior=$T status=switch next=$C
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device target=none target_task=$C operation=$O source=$S source_device=$N destination=$D bytes=50 codeptr=@copy now_task=$C state=wait_target_update now_exit=$E now_enter=$E {S == F + 20 and D == G + 10}
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device target_task=$C operation=$O bytes=50
// EXPECT(initial): task_schedule prior=$C status=complete next=$T
// EXPECT(initial): task_create task=$T new_task=$R flags=target has_dependences=0
// EXPECT(initial): task_schedule prior=$T status=switch next=$R
// EXPECT(initial): target_data_op_emi endpoint=begin type=transfer_to_device target_task=$R source=$F destination=$G bytes=6
// EXPECT(initial): target_data_op_emi endpoint=end type=transfer_to_device target_task=$R bytes=6
// EXPECT(initial): task_schedule prior=$R status=complete next=$T
// EXPECT(initial): task_create task=$T new_task=$I
// EXPECT(initial): task_schedule prior=$T status=switch next=$I
// EXPECT(initial): task_create task=$I new_task=$U flags=target+undeferred+final has_dependences=0 codeptr=@final
// EXPECT(initial): task_schedule prior=$I status=switch next=$U
// EXPECT(initial): target_data_op_emi endpoint=begin target_task=$U bytes=1 codeptr=@final
// EXPECT(initial): target_data_op_emi endpoint=end target_task=$U bytes=1
// EXPECT(initial): task_schedule prior=$U status=complete next=$I
// EXPECT(initial): task_schedule prior=$I status=complete next=$T
// STDOUT: failed 0 copied 77 69 6 99

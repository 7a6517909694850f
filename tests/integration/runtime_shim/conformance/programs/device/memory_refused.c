// An asynchronous memory routine that libgomp refuses makes no task, and returns what libgomp returns.
//
// DEVICES: 1
// NEEDS: omp_target_memcpy_async omp_target_memcpy_rect_async
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <stdio.h>

#include "conformance.h"

typedef int Copy(void*, const void*, size_t, size_t, size_t, int, int, int, omp_depend_t*);
typedef int CopyRectangle(void*, const void*, size_t, int, const size_t*, const size_t*, const size_t*, const size_t*,
                          const size_t*, int, int, int, omp_depend_t*);

int main(void) {
  const int host = omp_get_initial_device(), none = 99;
  Copy* copy = (Copy*)dlvsym(RTLD_DEFAULT, "omp_target_memcpy_async", "OMP_5.1.1");
  CopyRectangle* copy_rectangle = (CopyRectangle*)dlvsym(RTLD_DEFAULT, "omp_target_memcpy_rect_async", "OMP_5.1.1");
  char from = 1, to = 0;
  const int refused = copy(&to, &from, 1, 0, 0, none, host, 0, NULL) == EINVAL;
  const int asked = copy_rectangle(NULL, NULL, 1, 1, NULL, NULL, NULL, NULL, NULL, host, host, 0, NULL) == INT_MAX;
  printf("refused %d asked %d\n", refused, asked);
  return 0;
}

// COUNT: task_create == 0
// COUNT: target_data_op_emi == 0
// STDOUT: refused 1 asked 1

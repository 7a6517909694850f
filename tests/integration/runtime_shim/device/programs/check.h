/* What every program of this folder does at its end: `right` if all checks held. The first argument is the number of
   devices that there must be. */
#ifndef TESTS_RUNTIME_SHIM_DEVICE_CHECK_H_
#define TESTS_RUNTIME_SHIM_DEVICE_CHECK_H_

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int wrong;

#define CHECK(condition)                                    \
  do {                                                      \
    if (!(condition)) {                                     \
      __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);      \
      printf("wrong: line %d: %s\n", __LINE__, #condition); \
    }                                                       \
  } while (0)

static int has_device;

static void begin(int count, char** arguments) {
  const int devices = count > 1 ? atoi(arguments[1]) : 0;
  CHECK(omp_get_num_devices() == devices);
  CHECK(omp_get_initial_device() == devices);
  has_device = devices > 0;
}

static int end(void) {
  if (wrong == 0) puts("right");
  return wrong != 0;
}

#endif /* TESTS_RUNTIME_SHIM_DEVICE_CHECK_H_ */

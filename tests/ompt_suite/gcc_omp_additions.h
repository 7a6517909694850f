/* Included before each test: what the tests use and gcc's omp.h does not declare. The names and numbers are
   OpenMP 5.1's (section 3.14). The tests also rely on stdlib.h, which LLVM's omp.h includes. */
#ifndef TESTS_OMPT_SUITE_GCC_OMP_ADDITIONS_H_
#define TESTS_OMPT_SUITE_GCC_OMP_ADDITIONS_H_

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum omp_control_tool_t {
  omp_control_tool_start = 1,
  omp_control_tool_pause = 2,
  omp_control_tool_flush = 3,
  omp_control_tool_end = 4
} omp_control_tool_t;

int omp_control_tool(int command, int modifier, void* arg);

#ifdef __cplusplus
}
#endif

#endif /* TESTS_OMPT_SUITE_GCC_OMP_ADDITIONS_H_ */

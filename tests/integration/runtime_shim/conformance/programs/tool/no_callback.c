// A tool that has not registered the callback: omp_control_tool_nocallback, -1.
//
// RUN: CONFORMANCE_WITHOUT=control_tool
#include <stdio.h>

#include "conformance.h"

int omp_control_tool(int command, int modifier, void* argument) __attribute__((weak));

int main(void) {
  int answer = -9;
#pragma omp parallel num_threads(1)
  answer = omp_control_tool(1, 0, NULL);
  printf("answer %d\n", answer);
  return 0;
}

// COUNT: control_tool == 0
// STDOUT: answer -1

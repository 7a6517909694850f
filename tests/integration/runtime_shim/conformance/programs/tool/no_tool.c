// Without a tool: omp_control_tool_notool, -2.
//
// TOOL: none
#include <stdio.h>

int omp_control_tool(int command, int modifier, void* argument) __attribute__((weak));

int main(void) {
  int answer = -9;
#pragma omp parallel num_threads(1)
  answer = omp_control_tool(1, 0, NULL);
  printf("answer %d\n", answer);
  return 0;
}

// STDOUT: answer -2

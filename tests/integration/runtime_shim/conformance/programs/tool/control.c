// omp_control_tool returns the tool's answer, and the call is a call into the runtime.
//
// VARIANTS: -O0 | -O2
#include <stdio.h>

#include "conformance.h"

int omp_control_tool(int command, int modifier, void* argument) __attribute__((weak));

static int inside;

int main(void) {
  int answers[2] = {-9, -9};
#pragma omp parallel num_threads(1)
  {
    inside = 1;
    conf_note("argument", (uint64_t)(uintptr_t)&inside);
    answers[0] = omp_control_tool(1, 0, &inside);  // AT(first)
    answers[1] = omp_control_tool(65, 1, NULL);    // AT(second)
  }
  printf("answers %d %d\n", answers[0], answers[1]);
  return 0;
}

// EXPECT(tool): set_callback callback=control_tool result=always
//
// EXPECT(initial): note name=argument value=$A
// EXPECT(initial): control_tool command=1 modifier=0 argument=$A codeptr=@first now_enter!=0
// EXPECT(initial): control_tool command=65 modifier=1 argument=0 codeptr=@second now_enter!=0
// STDOUT: answers 0 1

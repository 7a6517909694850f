// ompt_control, the routine of OMPT's first generation, for C and for Fortran: the tool hears control_tool.
//
// RUNTIMES: gomp because libomp has dropped the routine
// VARIANTS: -O0 | -O2
#include "conformance.h"

void ompt_control(uint64_t command, uint64_t modifier) __attribute__((weak));
void ompt_control_(const uint64_t* command, const uint64_t* modifier) __attribute__((weak));

int main(void) {
  const uint64_t command = 5000000000, modifier = 3;
#pragma omp parallel num_threads(1)
  {
    ompt_control(1, 7);                  // AT(first)
    ompt_control_(&command, &modifier);  // AT(second)
    conf_mark("behind");
  }
  return 0;
}

// IGNORE: task_info parallel_info
// EXPECT(initial): control_tool command=1 modifier=7 argument=0 codeptr=@first now_enter!=0
// EXPECT(initial): control_tool command=5000000000 modifier=3 argument=0 codeptr=@second now_enter!=0
// EXPECT(initial): mark name=behind state=work_parallel

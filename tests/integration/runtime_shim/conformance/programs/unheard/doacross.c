// Doacross loops, and a tool that does not listen to loops. It hears their dependences, and a waiting thread has its
// state. Seven loops make one of the numbers go over the stack.
// VARIANTS: -O0 | -O2
// RUNTIMES: gomp because the shim alone has other wrappers then
// RUN: CONFORMANCE_WITHOUT=work,dispatch
#include <omp.h>

#include "conformance.h"

int main(void) {
  int step = 0, wrong = 0, done = 0, deep = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < 2; i++) {
      conf_raise(&step);
      if (i == 0) conf_await(&step, 2);
      if (i == 0) conf_settle();
      if (i == 0) conf_probe("waiting");
#pragma omp ordered depend(sink : i - 1)
      wrong += done != i;
      done++;
      conf_mark("between");
#pragma omp ordered depend(source)
    }
#pragma omp for ordered(7) schedule(dynamic)
    for (unsigned long long a = 3; a < 5; a++)
      for (int b = 0; b < 1; b++)
        for (int c = 0; c < 1; c++)
          for (int d = 0; d < 1; d++)
            for (int e = 0; e < 1; e++)
              for (int f = 0; f < 1; f++)
                for (int g = 0; g < 2; g++) {
#pragma omp ordered depend(sink : a - 1, b, c, d, e, f, g)
                  conf_raise(&deep);
#pragma omp ordered depend(source)
                }
  }
  return wrong || deep != 4;
}

// IGNORE: task_info parallel_info
// EXPECT(A): mark name=between state=work_parallel now_enter=0
// EXPECT(B): mark name=waiting state=wait_ordered state_wait_id!=0 now_enter!=0
// EXPECT(B): mark name=between state=work_parallel now_enter=0
// COUNT: dependences count=1 == 3
// COUNT: dependences count=7 == 6

// Exceptions thrown and caught inside a region, through user frames and across a nested region's edge. Afterwards the
// states and frames are as before.
// VARIANTS: -O0 | -O2 -fomit-frame-pointer
#include <stdio.h>

#include <stdexcept>

#include "conformance.h"

static void Thrower(int depth) {
  if (depth == 0) throw std::runtime_error("deep");
  Thrower(depth - 1);
}

int main() {
  int caught = 0;
#pragma omp parallel num_threads(2)
  {
    try {
#pragma omp barrier
      Thrower(5);
    } catch (const std::exception&) {
#pragma omp atomic
      caught++;
      conf_mark("caught");
    }
#pragma omp barrier
    conf_mark("behind");
  }
  try {
    Thrower(3);
  } catch (const std::exception&) {
    conf_mark("outside");
  }
  printf("caught %d\n", caught);
  return 0;
}

// STDOUT: caught 2
// EXPECT(initial): mark name=caught state=work_parallel now_enter=0 now_exit=$X
// EXPECT(initial): task_info level=0 exit=$X
// EXPECT(initial): task_info level=1
// EXPECT(initial): mark name=behind state=work_parallel now_enter=0 now_exit=$X
// EXPECT(initial): task_info level=0 exit=$X
// EXPECT(initial): task_info level=1
// EXPECT(initial): mark name=outside state=work_serial now_enter=0 now_exit=0
// EXPECT(initial): task_info level=0 flags=initial
// EXPECT(worker): mark name=caught state=work_parallel now_enter=0 now_exit=$Y
// EXPECT(worker): task_info level=0 exit=$Y
// EXPECT(worker): task_info level=1
// EXPECT(worker): mark name=behind state=work_parallel now_enter=0 now_exit=$Y
// EXPECT(worker): task_info level=0 exit=$Y
// EXPECT(worker): task_info level=1

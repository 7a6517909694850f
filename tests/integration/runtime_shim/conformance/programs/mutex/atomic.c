// An atomic on a type without an atomic instruction. The suite's README says on which lines gcc puts the calls. The
// state of a waiting thread cannot be probed: no code of the program runs while the mutex is taken.
// VARIANTS: -O0 | -O2
// RUNTIMES: gomp because clang calls libatomic, not the OpenMP runtime
#include "conformance.h"

int main(void) {
  long double sum = 0;
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 2; i++) {
    conf_mark("before");  // AT(atomic)
#pragma omp atomic        // AT(atomic)
    sum += 1;             // AT(atomic)
    conf_mark("behind");  // AT(atomic)
  }
  return sum != 4;
}

// IGNORE: task_info parallel_info
// EXPECT(initial): repeat 2
// EXPECT(initial): mark name=before state=work_parallel
// EXPECT(initial): mutex_acquire kind=atomic wait_id=$A hint=0 codeptr=@atomic now_enter!=0
// EXPECT(initial): mutex_acquired kind=atomic wait_id=$A codeptr=@atomic
// EXPECT(initial): mutex_released kind=atomic wait_id=$A codeptr=@atomic
// EXPECT(initial): mark name=behind state=work_parallel now_enter=0
// EXPECT(initial): end
// EXPECT(worker): repeat 2
// EXPECT(worker): mark name=before state=work_parallel
// EXPECT(worker): mutex_acquire kind=atomic wait_id=$A codeptr=@atomic
// EXPECT(worker): mutex_acquired kind=atomic wait_id=$A codeptr=@atomic
// EXPECT(worker): mutex_released kind=atomic wait_id=$A codeptr=@atomic
// EXPECT(worker): mark name=behind state=work_parallel
// EXPECT(worker): end

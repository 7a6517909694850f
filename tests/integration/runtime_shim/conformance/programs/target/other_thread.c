// Another thread runs a target task, while its creator is kept from it.
//
// RUNTIMES: gomp because clang compiles a target region for the host alone as a plain call, without the runtime
// VARIANTS: -O0 | -O2
#include <omp.h>

#include "conformance.h"

int main(void) {
  static int is_done;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      conf_raise(&is_done);
#pragma omp target nowait map(tofrom : is_done)
      {
        conf_mark("target");
        conf_raise(&is_done);
      }
      conf_await(&is_done, 2);
    }
  }
  return 0;
}

// IGNORE: task_info
// EXPECT(initial): task_create task=$P new_task=$T flags=target
// EXPECT(worker): task_schedule prior=$W status=switch next=$T state=overhead
// EXPECT(worker): target_emi kind=target_nowait endpoint=begin task=$P target_task=$T target=$R
// EXPECT(worker): mark name=target state=work_parallel now_flags=initial
// EXPECT(worker): target_emi kind=target_nowait endpoint=end task=$P target_task=$T target=$R
// EXPECT(worker): task_schedule prior=$T status=complete next=$W

// taskwait: its region and its wait; a taskwait without anything to wait for; the state of the thread in each callback.
// VARIANTS: -O0 | -O2
#include <omp.h>

#include "conformance.h"

int main(void) {
  int done = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp task
    conf_mark("in the task");
    conf_mark("before");
#pragma omp taskwait  // AT(taskwait)
    conf_mark("between");
#pragma omp taskwait
    conf_mark("behind");
    conf_raise(&done);
  } else {
    conf_await(&done, 1);
  }
#pragma omp taskwait
  conf_mark("serial");
  return 0;
}

// OTHERS: ignored
// IGNORE: task_info parallel_info
// EXPECT(initial): mark name=before now_task=$T now_parallel=$P
// EXPECT(initial)[gomp early-states]: sync_region kind=taskwait endpoint=begin parallel=$P task=$T codeptr=@taskwait state=wait_taskwait now_task=$T
// EXPECT(initial)[libomp early-states]: sync_region kind=taskwait endpoint=begin parallel=$P task=$T codeptr=@taskwait now_task=$T
// EXPECT(initial): sync_region_wait kind=taskwait endpoint=begin parallel=$P task=$T codeptr=@taskwait
// EXPECT(initial): mark name=in_the_task state=work_parallel
// EXPECT(initial): sync_region_wait kind=taskwait endpoint=end parallel=$P task=$T codeptr=@taskwait
// EXPECT(initial): sync_region kind=taskwait endpoint=end parallel=$P task=$T codeptr=@taskwait
// EXPECT(initial): mark name=between state=work_parallel
// EXPECT(initial): sync_region kind=taskwait endpoint=begin parallel=$P task=$T
// EXPECT(initial): sync_region_wait kind=taskwait endpoint=begin parallel=$P task=$T
// EXPECT(initial): sync_region_wait kind=taskwait endpoint=end parallel=$P task=$T
// EXPECT(initial): sync_region kind=taskwait endpoint=end parallel=$P task=$T
// EXPECT(initial): mark name=behind state=work_parallel
// EXPECT(initial): * sync_region kind!=taskwait
// EXPECT(initial): * sync_region_wait kind!=taskwait
// EXPECT(initial): * sync_region kind!=taskwait
// EXPECT(initial): sync_region kind=taskwait endpoint=begin
// EXPECT(initial): sync_region_wait kind=taskwait endpoint=begin
// EXPECT(initial): sync_region_wait kind=taskwait endpoint=end
// EXPECT(initial): sync_region kind=taskwait endpoint=end
// EXPECT(initial): mark name=serial state=work_serial

// taskgroup, nested: each begins where it starts and waits where it ends.
// VARIANTS: -O0 | -O2
#include <omp.h>

#include "conformance.h"

int main(void) {
  int done = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    conf_mark("before");
#pragma omp taskgroup
    {
      conf_mark("in the group");
#pragma omp taskgroup
      {
#pragma omp task
        conf_mark("in the task");
      }
      conf_mark("between");
    }
    conf_mark("behind");
    conf_raise(&done);
  } else {
    conf_await(&done, 1);
  }
#pragma omp taskgroup
  conf_mark("serial");
  return 0;
}

// OTHERS: ignored
// IGNORE: task_info parallel_info
// EXPECT(initial): mark name=before now_task=$T now_parallel=$P
// EXPECT(initial): sync_region kind=taskgroup endpoint=begin parallel=$P task=$T state=work_parallel codeptr!=none
// EXPECT(initial): mark name=in_the_group state=work_parallel now_enter=0
// EXPECT(initial): sync_region kind=taskgroup endpoint=begin parallel=$P task=$T
// EXPECT(initial)[gomp late-states]: sync_region_wait kind=taskgroup endpoint=begin parallel=$P task=$T state=wait_taskgroup
// EXPECT(initial)[libomp late-states]: sync_region_wait kind=taskgroup endpoint=begin parallel=$P task=$T
// EXPECT(initial): mark name=in_the_task state=work_parallel now_task!=$T
// EXPECT(initial): sync_region_wait kind=taskgroup endpoint=end parallel=$P task=$T
// EXPECT(initial): sync_region kind=taskgroup endpoint=end parallel=$P task=$T
// EXPECT(initial): mark name=between state=work_parallel now_enter=0
// EXPECT(initial): sync_region_wait kind=taskgroup endpoint=begin parallel=$P task=$T
// EXPECT(initial): sync_region_wait kind=taskgroup endpoint=end parallel=$P task=$T
// EXPECT(initial): sync_region kind=taskgroup endpoint=end parallel=$P task=$T
// EXPECT(initial): mark name=behind state=work_parallel now_enter=0
// EXPECT(initial): * sync_region kind!=taskgroup
// EXPECT(initial): * sync_region_wait kind!=taskgroup
// EXPECT(initial): * sync_region kind!=taskgroup
// EXPECT(initial): sync_region kind=taskgroup endpoint=begin
// EXPECT(initial): mark name=serial state=work_serial
// EXPECT(initial): sync_region_wait kind=taskgroup endpoint=begin
// EXPECT(initial): sync_region_wait kind=taskgroup endpoint=end
// EXPECT(initial): sync_region kind=taskgroup endpoint=end

// taskloop: the group, the loop with its number of iterations, the tasks, the wait.
// VARIANTS: -O0 | -O2
#include <omp.h>

#include "conformance.h"

int main(void) {
  int done = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    conf_mark("before");
#pragma omp taskloop num_tasks(2)
    for (int i = 0; i < 10; i++)
      if (i % 5 == 0) conf_mark(i == 0 ? "first" : "second");
    conf_mark("between");
#pragma omp taskloop num_tasks(1) nogroup
    for (long long i = 20; i > 0; i -= 3)
      if (i == 20) conf_mark("down");
    conf_mark("behind");
#pragma omp taskwait
    conf_raise(&done);
  } else {
    conf_await(&done, 1);
  }
  return 0;
}

// OTHERS: ignored
// IGNORE: parallel_info task_info
// EXPECT(initial): mark name=before now_task=$T now_parallel=$P
// EXPECT(initial): sync_region kind=taskgroup endpoint=begin parallel=$P task=$T codeptr!=none
// EXPECT(initial): work work=taskloop endpoint=begin parallel=$P task=$T count=10 codeptr!=none
// EXPECT(initial): task_create task=$T new_task=$A flags=explicit has_dependences=0 codeptr!=none
// EXPECT(initial): task_create task=$T new_task=$B flags=explicit has_dependences=0
// EXPECT(initial): work work=taskloop endpoint=end parallel=$P task=$T count=10
// EXPECT(initial): sync_region_wait kind=taskgroup endpoint=begin parallel=$P task=$T
// EXPECT(initial): mark state=work_parallel now_flags=explicit now_enter=0 {sp < now_exit}
// EXPECT(initial): mark state=work_parallel now_flags=explicit now_enter=0
// EXPECT(initial): sync_region_wait kind=taskgroup endpoint=end parallel=$P task=$T
// EXPECT(initial): sync_region kind=taskgroup endpoint=end parallel=$P task=$T
// EXPECT(initial): mark name=between state=work_parallel now_task=$T now_enter=0
// EXPECT(initial): work work=taskloop endpoint=begin count=7
// EXPECT(initial): task_create task=$T new_task=$C flags=explicit
// EXPECT(initial): work work=taskloop endpoint=end count=7
// EXPECT(initial): mark name=behind state=work_parallel now_task=$T now_enter=0
// EXPECT(initial): sync_region kind=taskwait endpoint=begin
// EXPECT(initial): sync_region_wait kind=taskwait endpoint=begin
// EXPECT(initial): mark name=down now_task=$C
// EXPECT(initial): sync_region_wait kind=taskwait endpoint=end
// EXPECT(initial): sync_region kind=taskwait endpoint=end
// EXPECT(initial): * sync_region
// EXPECT(initial): * sync_region_wait
// EXPECT(initial): * sync_region

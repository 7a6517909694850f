// The flags of a task, as task_create and get_task_info give them. The descendants of a final task are final, and
// undeferred.
#include <omp.h>

#include "conformance.h"

int main(void) {
  int done = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp task
    conf_mark("plain");
#pragma omp taskwait
#pragma omp task untied
    conf_mark("untied");
#pragma omp taskwait
#pragma omp task mergeable
    conf_mark("mergeable");
#pragma omp taskwait
#pragma omp task final(1)
    {
      conf_mark("final");
#pragma omp task
      {
        conf_mark("included");
#pragma omp task untied
        conf_mark("included again");
      }
    }
#pragma omp taskwait
#pragma omp task priority(2)
    conf_mark("priority");
#pragma omp taskwait
    conf_raise(&done);
  } else {
    conf_await(&done, 1);
  }
  return 0;
}

// OTHERS: ignored
// IGNORE: parallel_info task_info
// EXPECT(initial): task_create flags=explicit
// EXPECT(initial): mark name=plain now_flags=explicit
// EXPECT(initial): task_create flags=explicit+untied
// EXPECT(initial): mark name=untied now_flags=explicit+untied
// EXPECT(initial)[gomp mergeable]: task_create flags=explicit+mergeable
// EXPECT(initial)[gomp mergeable]: mark name=mergeable now_flags=explicit+mergeable
// EXPECT(initial)[libomp mergeable]: task_create flags=explicit
// EXPECT(initial)[libomp mergeable]: mark name=mergeable now_flags=explicit
// EXPECT(initial): task_create flags=explicit+final
// EXPECT(initial): mark name=final now_flags=explicit+final
// EXPECT(initial)[gomp included-is-undeferred]: task_create flags=explicit+undeferred+final
// EXPECT(initial)[gomp included-is-undeferred]: mark name=included now_flags=explicit+undeferred+final
// EXPECT(initial)[gomp included-is-undeferred]: task_create flags=explicit+undeferred+untied+final
// EXPECT(initial)[gomp included-is-undeferred]: mark name=included_again now_flags=explicit+undeferred+untied+final
// EXPECT(initial)[libomp included-is-undeferred]: task_create flags=explicit+undeferred+final|explicit+final
// EXPECT(initial)[libomp included-is-undeferred]: mark name=included
// EXPECT(initial)[libomp included-is-undeferred]: task_create
// EXPECT(initial)[libomp included-is-undeferred]: mark name=included_again
// EXPECT(initial): task_create flags=explicit
// EXPECT(initial): mark name=priority now_flags=explicit

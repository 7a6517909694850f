// A detachable task whose event is fulfilled after the end of its code. The task detaches, and is complete later.
// Dependent tasks wait until then.
#include <omp.h>

#include "conformance.h"

int main(void) {
  int x = 0;
  omp_event_handle_t event;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp task detach(event) depend(out : x)
    conf_mark("detachable");
#pragma omp task depend(in : x)
    conf_mark("dependent");
    // The other thread has run the first task in the region's barrier, but for its event, when it sleeps there.
    conf_settle();
    conf_mark("fulfilling");
    omp_fulfill_event(event);
  }
  return 0;
}

// COUNT: task_schedule status=detach == 1
// COUNT: task_schedule status=late_fulfill next=none == 1
// COUNT: task_schedule status=complete == 1
// COUNT: task_schedule status=early_fulfill == 0
// OTHERS: ignored
// IGNORE: task_info parallel_info
// EXPECT(worker): task_schedule prior=$W status=switch next=$N
// EXPECT(worker): mark name=detachable now_task=$N
// EXPECT(worker): task_schedule prior=$N status=detach next=$W
// EXPECT(worker): * task_schedule
// EXPECT(worker): ? mark name=dependent
// EXPECT(worker): * task_schedule
// EXPECT(initial): task_create new_task=$N
// EXPECT(initial): task_create new_task=$D
// EXPECT(initial): mark name=fulfilling
// EXPECT(initial): task_schedule prior=$N status=late_fulfill next=none
// Either thread may run the dependent one.
// EXPECT(initial): * task_schedule
// EXPECT(initial): ? mark name=dependent
// EXPECT(initial): * task_schedule

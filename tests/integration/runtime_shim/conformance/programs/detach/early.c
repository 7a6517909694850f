// A detachable task whose own code fulfills its event: fulfilled early, complete at its end.
#include <omp.h>

#include "conformance.h"

int main(void) {
  int done = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    omp_event_handle_t event;
#pragma omp task detach(event)
    {
      omp_fulfill_event(event);
      conf_mark("in the task");
    }
#pragma omp taskwait
    conf_raise(&done);
  } else {
    conf_await(&done, 1);
  }
  return 0;
}

// OTHERS: ignored
// IGNORE: task_info parallel_info
// EXPECT(initial): task_create task=$T new_task=$N flags=explicit
// EXPECT(initial): task_schedule prior=$T status=switch next=$N
// EXPECT(initial): task_schedule prior=$N status=early_fulfill next=none now_task=$N
// EXPECT(initial): mark name=in_the_task now_task=$N
// EXPECT(initial): task_schedule prior=$N status=complete next=$T

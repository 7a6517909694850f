// cancel taskgroup: the cancelling task ends as cancelled, and so does a task that then meets a cancellation point.
// Tasks that have not started are thrown away.
// RUN: OMP_CANCELLATION=true
#include <omp.h>

#include "conformance.h"

int main(void) {
  int done = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp taskgroup
    {
#pragma omp task if (0)
      {
        // Deferred, and not begun when the group is cancelled.
#pragma omp task
        conf_mark("wrong");
#pragma omp task
        conf_mark("wrong");
#pragma omp task if (0)
        {
          conf_mark("cancelling");
#pragma omp cancel taskgroup  // AT(cancel)
          conf_mark("wrong");
        }
#pragma omp cancellation point taskgroup  // AT(point)
        conf_mark("wrong");
      }
    }
    conf_mark("behind");
#pragma omp taskgroup
#pragma omp task
    conf_mark("another group");
    conf_raise(&done);
  } else {
    conf_await(&done, 1);
  }
  return 0;
}

// OTHERS: ignored
// IGNORE: task_info parallel_info
// COUNT: mark name=wrong == 0
// COUNT: cancel == 4
// EXPECT(initial): task_create task=$T new_task=$A
// EXPECT(initial): task_schedule prior=$T status=switch next=$A
// EXPECT(initial): task_create task=$A new_task=$B
// EXPECT(initial): task_create task=$A new_task=$C
// EXPECT(initial): task_create task=$A new_task=$D
// EXPECT(initial): task_schedule prior=$A status=switch next=$D
// EXPECT(initial): mark name=cancelling
// EXPECT(initial): cancel task=$D flags=taskgroup+activated codeptr=@cancel
// EXPECT(initial): task_schedule prior=$D status=cancel next=$A
// EXPECT(initial): cancel task=$A flags=taskgroup+detected codeptr=@point
// EXPECT(initial): task_schedule prior=$A status=cancel next=$T
// EXPECT(initial): cancel task=$F flags=taskgroup+discarded_task codeptr=none {F == B or F == C}
// EXPECT(initial): task_schedule prior=$F status=cancel next=$T
// EXPECT(initial): cancel task=$G flags=taskgroup+discarded_task codeptr=none {(G == B or G == C) and G != F}
// EXPECT(initial): task_schedule prior=$G status=cancel next=$T
// EXPECT(initial): mark name=behind state=work_parallel now_task=$T now_enter=0
// EXPECT(initial): task_create task=$T new_task=$H
// EXPECT(initial): task_schedule prior=$T status=switch next=$H
// EXPECT(initial): mark name=another_group
// EXPECT(initial): task_schedule prior=$H status=complete next=$T

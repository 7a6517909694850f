// A thread of the program that the runtime has not seen before fulfills the event of an undeferred task.
// COMPILE: -pthread
#include <omp.h>
#include <pthread.h>

#include "conformance.h"

static omp_event_handle_t handle;
static int set;

static void* Fulfill(void* unused) {
  (void)unused;
  conf_await(&set, 1);
  omp_fulfill_event(handle);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, Fulfill, NULL);
#pragma omp parallel num_threads(1)
  {
    omp_event_handle_t event;
#pragma omp task detach(event) if (0)
    {
      handle = event;
      conf_raise(&set);
      pthread_join(thread, NULL);
    }
    conf_mark("behind");
  }
  return 0;
}

// IGNORE: task_info parallel_info
// OTHERS: ignored
// EXPECT(initial): task_create task=$T new_task=$N flags=explicit+undeferred
// EXPECT(initial): task_schedule prior=$T status=switch next=$N
// EXPECT(initial): task_schedule prior=$N status=complete next=$T
// EXPECT(initial): mark name=behind now_task=$T state=work_parallel
// EXPECT(other): task_schedule prior=$N status=early_fulfill next=none

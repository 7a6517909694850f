// A thread that never calls the runtime: undefined, no word, no task, no region.
#include <pthread.h>

#include "conformance.h"

static void* Run(void* unused) {
  conf_mark("stranger");
  return unused;
}

int main(void) {
#pragma omp parallel num_threads(2)
  conf_mark("inside");
  pthread_t thread;
  pthread_create(&thread, 0, Run, 0);
  pthread_join(thread, 0);
  return 0;
}

// OTHERS: ignored
// EXPECT(initial): mark name=inside
// EXPECT(initial): task_info level=0
// EXPECT(initial): task_info level=1
// EXPECT(initial): parallel_info level=0
// EXPECT(initial): parallel_info level=1
// EXPECT(stranger)[gomp unknown-threads]: mark name=stranger state=undefined data=none now_task=absent
// EXPECT(stranger)[libomp unknown-threads]: mark name=stranger data=none now_task=absent

// The pairs of tasks that depend on each other: by address, by type, and by the task that creates them. A task that has
// ended is no predecessor. A blocker keeps all others from starting.
//
// VARIANTS: -O0 | -O2
#include <omp.h>

#include "conformance.h"

static int x, y, z, started, created, done;

static void create(void) {
#pragma omp task depend(out : z)
  conf_raise(&done);
  while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) < 1) {
#pragma omp taskyield
  }
  conf_settle();
#pragma omp task depend(inout : x)  // 1
  {
    conf_raise(&started);
    conf_await(&created, 1);
  }
#pragma omp task depend(in : x)  // 2
  x++;
#pragma omp task depend(in : x) depend(out : y)  // 3
  x++;
#pragma omp task depend(inout : x)  // 4
  {
#pragma omp task depend(inout : x)  // of another parent
    x++;
  }
#pragma omp task depend(mutexinoutset : x)  // 5
  x++;
#pragma omp task depend(mutexinoutset : x)  // 6
  x++;
#pragma omp task depend(in : x, y, z)  // 7
  x++;
#pragma omp task  // no dependence
  y++;
  conf_raise(&created);
}

int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) create();
#pragma omp barrier
  }
  return 0;
}

// OTHERS: ignored
// IGNORE: task_info parallel_info
// EXPECT(tool): set_callback callback=task_dependence result=always
// EXPECT(initial): task_create new_task=$Z has_dependences=1
// EXPECT(initial): task_create new_task=$A has_dependences=1
// EXPECT(initial): task_create new_task=$B has_dependences=1
// EXPECT(initial): task_dependence source=$A sink=$B
// EXPECT(initial): task_create new_task=$C has_dependences=1
// EXPECT(initial): task_dependence source=$A sink=$C
// EXPECT(initial): task_create new_task=$D has_dependences=1
// EXPECT(initial): ~ task_dependence source=$B sink=$D
// EXPECT(initial): ~ task_dependence source=$C sink=$D
// EXPECT(initial): task_create new_task=$E has_dependences=1
// EXPECT(initial): task_dependence source=$D sink=$E
// EXPECT(initial): task_create new_task=$F has_dependences=1
// EXPECT(initial): task_dependence source=$D sink=$F
// EXPECT(initial): task_create new_task=$G has_dependences=1
// EXPECT(initial): ~ task_dependence source=$E sink=$G
// EXPECT(initial): ~ task_dependence source=$F sink=$G
// EXPECT(initial): ~ task_dependence source=$C sink=$G
// EXPECT(initial): task_create has_dependences=0
// EXPECT(initial): ? task_create has_dependences=1
// COUNT: task_dependence == 9

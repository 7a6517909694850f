// firstprivate objects of a class. gcc has the runtime call the constructors when the task already exists. They are
// code of the new task, with frames of its own, whether the task is deferred or not. clang calls them before the
// runtime hears of the task.
// VARIANTS: -O0 | -O2
// COMPILE: -lstdc++
#include <omp.h>

#include "conformance.h"

namespace {

struct Object {
  Object() = default;
  Object(const Object&) { conf_mark("copying"); }
  int value = 5;
};

}  // namespace

int main() {
  int done = 0;
  Object object;
#pragma omp parallel num_threads(2) firstprivate(done)
  {}
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp task firstprivate(object)
    conf_mark(object.value == 5 ? "deferred" : "wrong");
    conf_mark("between");
#pragma omp taskwait
#pragma omp task firstprivate(object) if (0)
    conf_mark(object.value == 5 ? "undeferred" : "wrong");
    conf_mark("behind");
    conf_raise(&done);
  } else {
    conf_await(&done, 1);
  }
  return 0;
}

// RUNTIMES: gomp because libomp does not call the constructors: the program does
// OTHERS: ignored
// IGNORE: parallel_info
// EXPECT(initial): task_create task=$T new_task=$N flags=explicit frame_enter=$E
// EXPECT(initial): mark name=copying sp=$S state=work_parallel
// EXPECT(initial): task_info level=0 flags=explicit task=$N exit=$X enter=0 {S < X}
// EXPECT(initial): task_info level=1 task=$T enter=$E exit=$X0 {X < E and E < X0}
// EXPECT(initial): task_info level=2 flags=initial
// EXPECT(initial): mark name=between now_task=$T now_enter=0
// EXPECT(initial): task_info level=0 task=$T
// EXPECT(initial): task_info level=1
// EXPECT(initial): task_schedule prior=$T status=switch next=$N
// EXPECT(initial): mark name=deferred state=work_parallel now_task=$N
// EXPECT(initial): task_info level=0 task=$N enter=0
// EXPECT(initial): task_info level=1 task=$T
// EXPECT(initial): task_info level=2
// EXPECT(initial): task_schedule prior=$N status=complete next=$T
// EXPECT(initial): task_create task=$T new_task=$M flags=explicit+undeferred frame_enter=$F
// EXPECT(initial): mark name=copying sp=$S2 state=work_parallel
// EXPECT(initial): task_info level=0 flags=explicit+undeferred task=$M exit=$X2 enter=0 {S2 < X2}
// EXPECT(initial): task_info level=1 task=$T enter=$F {X2 < F}
// EXPECT(initial): task_info level=2 flags=initial
// EXPECT(initial): task_schedule prior=$T status=switch next=$M
// EXPECT(initial): mark name=undeferred state=work_parallel now_task=$M
// EXPECT(initial): task_info level=0 task=$M enter=0
// EXPECT(initial): task_info level=1 task=$T enter=$F
// EXPECT(initial): task_info level=2
// EXPECT(initial): task_schedule prior=$M status=complete next=$T
// EXPECT(initial): mark name=behind state=work_parallel now_task=$T now_enter=0
// EXPECT(initial): task_info level=0 task=$T
// EXPECT(initial): task_info level=1

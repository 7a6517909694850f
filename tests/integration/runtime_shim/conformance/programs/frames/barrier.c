// A task's frame inside the runtime. enter is set during the barrier, in its callbacks and for a signal handler, below
// all user frames of the task. It is reset after the barrier.
// VARIANTS: -O0 | -O2 -fomit-frame-pointer | -O2 -fno-omit-frame-pointer | -O3
#include <omp.h>

#include "conformance.h"

__attribute__((noinline)) static void Deeper(int depth) {
  char room[256];
  conf_raise((int*)__builtin_memset(room, 0, sizeof(room)));
  if (depth > 0) {
    Deeper(depth - 1);
  } else {
    conf_mark("deep");
#pragma omp barrier
    conf_mark("behind");
  }
  conf_raise((int*)room);
}

int main(void) {
  int arrived = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      conf_await(&arrived, 1);
      conf_settle();
      conf_probe("waiting");
    } else {
      conf_raise(&arrived);
    }
    conf_mark("outer frame");
    Deeper(3);
  }
  return 0;
}

// IGNORE: sync_region_wait parallel_info
// EXPECT(initial): mark name=outer_frame sp=$O {sp < now_exit and now_enter == 0}
// EXPECT(initial): task_info level=0 exit=$X enter=0
// EXPECT(initial): task_info level=1
// EXPECT(initial): mark name=deep sp=$S {sp < O}
// EXPECT(initial): task_info level=0 exit=$X enter=0
// EXPECT(initial): task_info level=1
// EXPECT(initial): sync_region kind=barrier_explicit endpoint=begin now_exit=$X now_enter=$E {E < S + 64 and E < X}
// EXPECT(initial): sync_region kind=barrier_explicit endpoint=end now_exit=$X now_enter=$E
// EXPECT(initial): mark name=behind {sp > E and now_enter == 0}
// EXPECT(initial): task_info level=0 exit=$X enter=0
// EXPECT(initial): task_info level=1
// EXPECT(initial): sync_region endpoint=begin now_exit=0
// EXPECT(initial): sync_region endpoint=end
// The handler runs on the waiting worker: its own frame is younger than enter.
// EXPECT(worker): mark name=outer_frame sp=$P
// EXPECT(worker): task_info level=0 exit=$Y enter=0 {Y > P}
// EXPECT(worker): task_info level=1
// EXPECT(worker): mark name=deep sp=$Q
// EXPECT(worker): task_info level=0 exit=$Y enter=0
// EXPECT(worker): task_info level=1
// EXPECT(worker): sync_region kind=barrier_explicit endpoint=begin now_enter=$F {F < Q + 64}
// EXPECT(worker): mark name=waiting {sp < F and now_enter == F and now_exit == Y}
// EXPECT(worker): task_info level=0 exit=$Y enter=$F
// EXPECT(worker): task_info level=1
// EXPECT(worker): sync_region kind=barrier_explicit endpoint=end now_enter=$F
// EXPECT(worker): mark name=behind {sp > F}
// EXPECT(worker): task_info level=0 exit=$Y enter=0
// EXPECT(worker): task_info level=1
// EXPECT(worker): sync_region endpoint=begin now_exit=0
// EXPECT(worker): ? sync_region endpoint=end

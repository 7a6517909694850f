// The flag words: both frames are the runtime's, given as frame pointers; the initial task has no exit frame.
// VARIANTS: -O0 | -O2 -fomit-frame-pointer
#include "conformance.h"

int main() {
  auto inside = [] { conf_mark("inside"); };
#pragma omp parallel num_threads(2)
  inside();
  conf_mark("after");
  return 0;
}

// IGNORE: parallel_info
// EXPECT(initial)[gomp initial-frame-flags]: parallel_begin frame_exit=0 frame_enter=$E frame_enter_flags=runtime+framepointer
// EXPECT(initial)[libomp initial-frame-flags]: parallel_begin frame_exit=0 frame_enter=$E
// EXPECT(initial): mark name=inside {sp < now_exit}
// EXPECT(initial): task_info level=0 exit=$X exit_flags=runtime+framepointer enter=0 {X <= E}
// EXPECT(initial)[gomp initial-frame-flags]: task_info level=1 exit=0 enter=$E enter_flags=runtime+framepointer
// EXPECT(initial)[libomp initial-frame-flags]: task_info level=1 exit=0 enter=$E
// EXPECT(initial): mark name=after now_exit=0 now_enter=0
// EXPECT(initial): task_info level=0 exit=0 enter=0
// EXPECT(worker): mark name=inside {sp < now_exit}
// EXPECT(worker): task_info level=0 exit_flags=runtime+framepointer enter=0
// EXPECT(worker): task_info level=1 exit=0 enter=$E

// The threads of a program. thread_begin comes with its kind before anything else of the thread, thread_end after
// everything else. get_thread_data gives the thread's word.
#include "conformance.h"

int main(void) {
#pragma omp parallel num_threads(3)
  conf_mark("first");
#pragma omp parallel num_threads(3)
  conf_mark("second");
  return 0;
}

// OBSERVE: implicit_task
//
// EXPECT(initial): thread_begin type=initial state=overhead
// EXPECT(initial): implicit_task endpoint=begin flags=initial
// EXPECT(initial): implicit_task endpoint=begin index=0
// EXPECT(initial): mark name=first data=1
// EXPECT(initial): implicit_task endpoint=end index=0
// EXPECT(initial): implicit_task endpoint=begin index=0
// EXPECT(initial): mark name=second data=1
// EXPECT(initial): implicit_task endpoint=end index=0
// EXPECT(initial): implicit_task endpoint=end flags=initial
// EXPECT(initial): thread_end data=1
//
// EXPECT(worker*): thread_begin type=worker state=overhead
// EXPECT(worker*): implicit_task endpoint=begin index=$I
// EXPECT(worker*): mark name=first data=$T {T > 1}
// EXPECT(worker*): implicit_task endpoint=end parallel=none index=$I
// EXPECT(worker*): implicit_task endpoint=begin index=$J
// EXPECT(worker*): mark name=second data=$T
// EXPECT(worker*): implicit_task endpoint=end parallel=none index=$J
// EXPECT(worker*): thread_end data=$T
// COUNT: thread_begin type=worker == 2

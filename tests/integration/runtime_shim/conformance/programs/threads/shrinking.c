// A team that shrinks. libgomp ends the threads that it no longer needs, and libomp keeps them. Each ended thread
// reported its end last, and no event of an ended thread follows.
#include "conformance.h"

int main(void) {
  for (int size = 4; size >= 2; size--) {
#pragma omp parallel num_threads(size)
    conf_mark("inside");
    conf_settle();
  }
  return 0;
}

// OTHERS: ignored
// EXPECT(initial): thread_begin type=initial
// EXPECT(initial): mark
// EXPECT(initial): mark
// EXPECT(initial): mark
// EXPECT(initial): thread_end
// EXPECT(all three): thread_begin type=worker
// EXPECT(all three): mark
// EXPECT(all three): mark
// EXPECT(all three): mark
// EXPECT(all three): * thread_end
// EXPECT(two): thread_begin type=worker
// EXPECT(two): mark
// EXPECT(two): mark
// EXPECT(two): thread_end
// EXPECT(one): thread_begin type=worker
// EXPECT(one): mark
// EXPECT(one): thread_end
// COUNT: mark == 9

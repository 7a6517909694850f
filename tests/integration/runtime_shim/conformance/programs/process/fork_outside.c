// fork between regions. The child's tool starts anew, with a new initial thread; the parent's goes on. The parent's
// earlier regions have one thread: libgomp itself waits for ever in a child whose parent had workers.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance.h"

int main(void) {
#pragma omp parallel num_threads(1)
  conf_mark("before");
  const pid_t child = fork();
#pragma omp parallel num_threads(2)
  conf_mark("behind");
  if (child == 0) exit(0);
  int status = 1;
  waitpid(child, &status, 0);
  return status;
}

// OTHERS: ignored
// EXPECT(initial): thread_begin type=initial
// EXPECT(initial): parallel_begin
// EXPECT(initial): mark name=before
// EXPECT(initial): parallel_end
// EXPECT(initial): parallel_begin
// EXPECT(initial): mark name=behind
// EXPECT(initial): parallel_end
// EXPECT(initial): thread_end
// EXPECT(initial): finalize
// EXPECT(fork1/initial)[gomp tool-after-fork]: thread_begin type=initial
// EXPECT(fork1/initial): parallel_begin
// EXPECT(fork1/initial): mark name=behind state=work_parallel
// EXPECT(fork1/initial): parallel_end
// EXPECT(fork1/initial): thread_end
// EXPECT(fork1/initial): finalize
// EXPECT(fork1/worker): thread_begin type=worker
// EXPECT(fork1/worker): mark name=behind
// EXPECT(fork1/worker): ? thread_end

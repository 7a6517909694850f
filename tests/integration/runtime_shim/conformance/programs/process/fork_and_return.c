// The child of a fork inside a region of one thread goes on, leaves that region, and makes another. The first region
// belongs to the parent's tool, and is not reported in the child.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance.h"

int main(void) {
  pid_t child = -1;
#pragma omp parallel num_threads(1)
  {
    conf_mark("before");
    child = fork();
    conf_mark("inside");
  }
#pragma omp parallel num_threads(1)
  conf_mark("another");
  if (child == 0) exit(0);
  int status = 1;
  waitpid(child, &status, 0);
  return status;
}

// RUNTIMES: gomp because libomp 14 fails an assertion of its own in the child (kmp_csupport.cpp:540)
// EXPECT(initial): parallel_begin
// EXPECT(initial): mark name=before
// EXPECT(initial): mark name=inside state=work_parallel
// EXPECT(initial): parallel_end
// EXPECT(initial): parallel_begin
// EXPECT(initial): mark name=another
// EXPECT(initial): parallel_end
// EXPECT(initial): finalize
// EXPECT(fork1/initial): ? mark name=inside
// EXPECT(fork1/initial): parallel_begin
// EXPECT(fork1/initial): mark name=another
// EXPECT(fork1/initial): parallel_end
// EXPECT(fork1/initial): finalize

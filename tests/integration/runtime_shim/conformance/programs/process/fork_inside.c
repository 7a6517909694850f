// A thread of a team forks. The child has no team and ends at once, which harms neither process. The parent's region
// goes on.
#include <omp.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance.h"

int main(void) {
  int status = 1;
#pragma omp parallel num_threads(2) shared(status)
  {
    if (omp_get_thread_num() == 1) {
      const pid_t child = fork();
      if (child == 0) {
        int sum = 0;
        for (int i = 0; i < 10; i++) sum += i;
        _exit(sum == 45 ? 0 : 2);
      }
      waitpid(child, &status, 0);
    }
#pragma omp barrier
    conf_mark("behind");
  }
  return status;
}

// OTHERS: ignored
// EXPECT(initial): parallel_begin
// EXPECT(initial): mark name=behind
// EXPECT(initial): parallel_end
// EXPECT(initial): finalize
// EXPECT(worker): mark name=behind state=work_parallel

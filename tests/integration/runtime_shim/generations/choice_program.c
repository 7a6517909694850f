/* Two parallel regions. With an argument, there are two more in a forked child and in its parent. These have one
   thread, because libgomp has no threads in such a child. */
#include <sys/wait.h>
#include <unistd.h>

static void Regions(int threads) {
  for (int i = 0; i < 2; i++) {
#pragma omp parallel num_threads(threads)
    __asm__ volatile("");
  }
}

int main(int count, char** arguments) {
  (void)arguments;
  const int threads = count > 1 ? 1 : 2;
  Regions(threads);
  if (count > 1) {
    const pid_t child = fork();
    Regions(threads);
    if (child != 0) waitpid(child, NULL, 0);
  }
  return 0;
}

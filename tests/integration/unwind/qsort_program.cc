// Work in qsort's comparator, called back from libc, and in signal handlers. Handlers run on the thread's own stack,
// and on an alternate stack from which qsort is called again. The program runs for about as many seconds as its
// argument says.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

namespace {

volatile double g_sink;

int CompareDoubles(const void* a, const void* b) {
  const double x = *static_cast<const double*>(a);
  const double y = *static_cast<const double*>(b);
  g_sink = sin(x) + y;
  return x < y ? -1 : x > y;
}

void Sort(unsigned seed, size_t count) {
  double values[1000];
  for (size_t i = 0; i < count; ++i) values[i] = (seed = seed * 1103515245 + 12345) % 10007;
  qsort(values, count, sizeof(values[0]), CompareDoubles);
  g_sink = values[count / 2];
}

// So few elements that glibc's qsort has room for them on the stack: the interrupted function may be malloc.
void SortInHandler(int signal) {
  for (unsigned i = 0; i < 5; ++i) Sort(static_cast<unsigned>(signal) + i, 100);
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 1;
  static char alternate[1 << 17];
  stack_t stack = {};
  stack.ss_sp = alternate;
  stack.ss_size = sizeof(alternate);
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = SortInHandler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval timer = {{0, 5000}, {0, 5000}};
  setitimer(ITIMER_REAL, &timer, nullptr);

  const clock_t end = clock() + static_cast<clock_t>(seconds * CLOCKS_PER_SEC);
  for (unsigned i = 0; clock() < end; ++i) {
    Sort(i, 1000);
    if (i % 4 == 0) raise(SIGUSR1);
  }
  printf("%g\n", g_sink);
}

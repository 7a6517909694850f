// Kernels of several lengths, from several threads, on all devices, deferred ones too. Arguments: how many rounds, and
// what happens in the middle: nothing, pause, flush, end (of the tool), exit (of the program, by a thread of a region).
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The shim's: gcc 12 has none.
__attribute__((weak)) int omp_control_tool(int command, int modifier, void* argument);
enum { kStart = 1, kPause = 2, kFlush = 3, kEnd = 4 };

static void work(long ns) {
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < ns);
}

static void launch(int round) {
  const int devices = omp_get_num_devices();
#pragma omp parallel num_threads(3)
  {
    double data[100] = {0};
    const int thread = omp_get_thread_num(), device = (thread + round) % devices;
#pragma omp target map(tofrom : data) device(device)
    {
      work(50000 * (thread + 1));
      data[0] = round;
    }
    if (data[0] != round) abort();
#pragma omp target nowait map(tofrom : data) device(device) depend(inout : data)
    {
      work(20000);
      data[1] = data[0] + 1;
    }
#pragma omp taskwait
    if (data[1] != round + 1) abort();
  }
}

int main(int count, char** arguments) {
  const int rounds = count > 1 ? atoi(arguments[1]) : 1;
  const char* middle = count > 2 ? arguments[2] : "nothing";
  for (int round = 0; round < rounds; round++) launch(round);
  if (strcmp(middle, "pause") == 0) omp_control_tool(kPause, 0, NULL);
  if (strcmp(middle, "flush") == 0) omp_control_tool(kFlush, 0, NULL);
  if (strcmp(middle, "end") == 0) omp_control_tool(kEnd, 0, NULL);
  if (strcmp(middle, "exit") == 0) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) exit(0);
  }
  for (int round = 0; round < rounds; round++) launch(round);
  if (strcmp(middle, "pause") == 0) {
    omp_control_tool(kStart, 0, NULL);
    for (int round = 0; round < rounds; round++) launch(round);
  }
  puts("done");
  return 0;
}

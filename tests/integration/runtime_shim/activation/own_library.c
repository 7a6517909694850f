// A library as a Python package ships it: functions that end with a call of the runtime, which compilers make a jump.
// The return address at the runtime's entry is then in the library's caller.
#include <omp.h>

enum { kSize = 1000 };
static double values[kSize];
static int threads;

int get_threads(void) { return omp_get_max_threads(); }

void set_threads(int number) { omp_set_num_threads(number); }

void step(void) {
#pragma omp parallel for
  for (int i = 0; i < kSize; i++) values[i] = values[i] * 0.5 + i;
}

double value(void) { return values[kSize - 1]; }

static void count(void) {
#pragma omp parallel
  {
#pragma omp atomic
    threads++;
#pragma omp barrier
  }
}

int team(void) {
  threads = 0;
  count();
  return threads;
}

// A library whose constructor runs a region while dlopen holds the loader's lock. So no thread of the team may ask the
// loader for anything. One thread calls a second library, constructor_helper.c, for the first time.
#include <omp.h>

void help(int* sum);

static int sum;

__attribute__((constructor)) static void run(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) help(&sum);
#pragma omp barrier
#pragma omp atomic
    sum++;
  }
}

int use_region(void) { return sum != 3; }

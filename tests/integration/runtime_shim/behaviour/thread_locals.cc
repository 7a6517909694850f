// libgomp's workers never end by themselves, so the destructors of their thread_local objects don't run at the end of
// the process; those of a thread of the program's own do. Just so under the shim.
//
// RUN: OMP_NUM_THREADS=4
//
// ARGS: pool
//
// ARGS: root

#include <omp.h>
#include <stdio.h>
#include <string.h>

#include <atomic>
#include <thread>

static std::atomic<int> made{0};
static std::atomic<int> destroyed{0};

struct Counted {
  Counted() { made++; }
  ~Counted() {
    destroyed++;
    if (omp_get_level() == 0) printf("a destructor runs\n");
  }
  int value = 1;
};

static thread_local Counted counted;

static void Region(int threads) {
  int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum += counted.value;
  printf("%d threads\n", sum);
}

int main(int argc, char** argv) {
  const char* kind = argc > 1 ? argv[1] : "pool";
  if (strcmp(kind, "root") == 0) {
    std::thread(Region, 3).join();
  } else {
    Region(4);
  }
  printf("%d made\n", made.load());
  return 0;
}

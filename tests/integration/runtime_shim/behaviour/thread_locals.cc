// libgomp's workers never end by themselves, so the destructors of their thread_local objects don't run at the end of
// the process. Destructors of a thread of the program do. Both must be so under the shim.
//
// The end of the process must not start workers either, if a target region's workers were the only ones. They would be
// displayed.
//
// RUN: OMP_NUM_THREADS=4 OMP_DISPLAY_AFFINITY=true OMP_AFFINITY_FORMAT=level_%L_of_%N_threads
//
// ARGS: pool
//
// ARGS: root
//
// ARGS: target
//
// ARGS: pool_and_target

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

// A thread with workers of its own, which end with it.
static void TargetRegion(int threads) {
  int sum = 0;
#pragma omp target map(tofrom : sum)
  {
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    sum += 1;
  }
  printf("%d threads in the target region\n", sum);
}

int main(int argc, char** argv) {
  const char* kind = argc > 1 ? argv[1] : "pool";
  if (strcmp(kind, "root") == 0) {
    std::thread(Region, 3).join();
  } else if (strcmp(kind, "target") == 0) {
    TargetRegion(3);
  } else {
    Region(4);
    if (strcmp(kind, "pool_and_target") == 0) TargetRegion(2);
  }
  printf("%d made\n", made.load());
  return 0;
}

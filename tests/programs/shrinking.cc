// Teams that become smaller. LLVM's runtime does not tell the workers that they are not needed any more.
//   shrinking smaller [MS]   a short region of four threads, then many of two: two threads are idle for that time
//   shrinking nested [MS]    two threads with a region of two each at the same time, then one of them alone with many
//                            such regions: the worker of one of the first two is idle
//   truth wall idle N        of one idle thread
#include <omp.h>
#include <sched.h>
#include <string.h>

#include "truth.h"

TRUTH_WORK(member_work)

static uint64_t Ns() { return truth::ClockNs(CLOCK_MONOTONIC); }

static void Await(std::atomic<int>* step, int value) {
  while (step->load(std::memory_order_acquire) < value) sched_yield();
}

TRUTH_FUNCTION void small_regions(uint64_t until) {
  while (Ns() < until) {
#pragma omp parallel num_threads(2)
    member_work(truth::Iterations(0.02));
  }
}

TRUTH_FUNCTION uint64_t smaller(uint64_t ns) {
#pragma omp parallel num_threads(4)
  TRUTH_NO_TAIL_CALL();
  const uint64_t begin = Ns();
  small_regions(begin + ns);
  return Ns() - begin;
}

TRUTH_FUNCTION uint64_t nested(uint64_t ns) {
  omp_set_max_active_levels(2);
  std::atomic<int> step{0};
  uint64_t idle = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    // This thread has the first worker of the pool until the other thread has its own.
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
      step = 1;
      Await(&step, 2);
    }
    step = 3;
    while (step.load(std::memory_order_acquire) < 4) member_work(truth::Iterations(0.02));
  } else {
    Await(&step, 1);
#pragma omp parallel num_threads(2)
    TRUTH_NO_TAIL_CALL();
    step = 2;
    Await(&step, 3);
    const uint64_t begin = Ns();
    small_regions(begin + ns);
    idle = Ns() - begin;
    step = 4;
  }
  return idle;
}

int main(int argc, char** argv) {
  const auto ns = static_cast<uint64_t>(truth::Argument(argc, argv, 2, 500)) * 1000000;
  truth::Iterations(1);
  const bool in_region = argc > 1 && strcmp(argv[1], "nested") == 0;
  printf("truth wall idle wall_ns %llu\n", static_cast<unsigned long long>(in_region ? nested(ns) : smaller(ns)));
  truth::PrintProcess();
  return 0;
}

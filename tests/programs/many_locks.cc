// More locks than a table of fixed size keeps. One thread takes all of them once, and a fifth are destroyed and made
// again. Then two threads print, by the waiting thread's own clock:
//   truth wall last N      waited for the last of them, which the other holds
//   truth wall many N      waited for others, each of which is waited for once, and for a moment
//   truth wall barrier N   and after all that at a barrier
//   many_locks [MS]        MS: how long the last lock is held in all
#include <omp.h>
#include <sched.h>

#include "truth.h"

TRUTH_WORK(holder_work)

constexpr int kLocks = 40000;
constexpr int kWaitedFor = 9000;  // each thread takes half of them
constexpr int kRounds = 5;

// Not static: an optimizer that knows all uses could take the locks apart.
omp_lock_t locks[kLocks];

static std::atomic<int> taken, coming;

static uint64_t NowNs() { return truth::ClockNs(CLOCK_MONOTONIC); }

static void Print(const char* name, uint64_t ns) {
  printf("truth wall %s wall_ns %llu\n", name, static_cast<unsigned long long>(ns));
}

TRUTH_FUNCTION void hold(omp_lock_t* lock, int number, uint64_t iterations) {
  omp_set_lock(lock);
  taken.store(number, std::memory_order_release);
  while (coming.load(std::memory_order_acquire) != number) sched_yield();
  holder_work(iterations);
  omp_unset_lock(lock);
}

// Returns how long the thread waited.
TRUTH_FUNCTION uint64_t want(omp_lock_t* lock, int number) {
  while (taken.load(std::memory_order_acquire) != number) sched_yield();
  const uint64_t since = NowNs();
  coming.store(number, std::memory_order_release);
  omp_set_lock(lock);
  const uint64_t until = NowNs();
  omp_unset_lock(lock);
  return until - since;
}

TRUTH_FUNCTION void late_barrier(double ms) {
  if (omp_get_thread_num() == 0) holder_work(truth::Iterations(ms));
  const uint64_t since = NowNs();
#pragma omp barrier
  if (omp_get_thread_num() == 1) Print("barrier", NowNs() - since);
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 250));
  truth::Iterations(1);
  for (int i = 0; i < kLocks; i++) {
    omp_init_lock(&locks[i]);
    omp_set_lock(&locks[i]);
    omp_unset_lock(&locks[i]);
    if (i % 5 != 0) continue;
    omp_destroy_lock(&locks[i]);
    omp_init_lock(&locks[i]);
  }
  std::atomic<uint64_t> last{0}, many{0};
#pragma omp parallel num_threads(2)
  {
    const int me = omp_get_thread_num();
    for (int round = 0; round < kRounds; round++) {
      if (me == 0)
        hold(&locks[kLocks - 1], round + 1, truth::Iterations(ms / kRounds));
      else
        last += want(&locks[kLocks - 1], round + 1);
#pragma omp barrier
    }
    for (int i = 0; i < kWaitedFor; i++) {
      if (i % 2 == me)
        hold(&locks[i], kRounds + i + 1, truth::Iterations(0.01));
      else
        many += want(&locks[i], kRounds + i + 1);
    }
#pragma omp barrier
    late_barrier(ms);
  }
  Print("last", last);
  Print("many", many);
  truth::PrintProcess();
  return 0;
}

// A thread that polls a lock and works between its attempts. It never waits, although the other thread holds the lock
// nearly all the time. The same with a nestable lock.
//   truth count failed N    attempts that failed
//   polls [CPU_MS]          CPU time of each of the two threads
#include <omp.h>
#include <semaphore.h>

#include "truth.h"

TRUTH_WORK(hold_work)
TRUTH_WORK(poll_work)

static truth::Account holding("function", "hold_work"), polling("function", "poll_work");
static sem_t held, done;
static std::atomic<int> failed;

constexpr int kRounds = 10;
constexpr int kPolls = 20;  // in each round

// The locks' functions under one name for both kinds.
static void Set(omp_lock_t* lock) { omp_set_lock(lock); }
static void Unset(omp_lock_t* lock) { omp_unset_lock(lock); }
static bool Test(omp_lock_t* lock) { return omp_test_lock(lock) != 0; }
static void Set(omp_nest_lock_t* lock) { omp_set_nest_lock(lock); }
static void Unset(omp_nest_lock_t* lock) { omp_unset_nest_lock(lock); }
static bool Test(omp_nest_lock_t* lock) { return omp_test_nest_lock(lock) != 0; }

template <typename Lock>
static void Hold(Lock* lock, uint64_t iterations) {
  Set(lock);
  sem_post(&held);
  {
    truth::Timed timed(holding);
    hold_work(iterations);
  }
  sem_wait(&done);
  Unset(lock);
}

template <typename Lock>
static void Poll(Lock* lock, uint64_t iterations) {
  sem_wait(&held);
  for (int i = 0; i < kPolls; i++) {
    if (Test(lock)) {
      Unset(lock);
    } else {
      failed.fetch_add(1, std::memory_order_relaxed);
    }
    truth::Timed timed(polling);
    poll_work(iterations);
  }
  sem_post(&done);
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 1000)) / (2 * kRounds);
  const uint64_t iterations = truth::Iterations(ms);
  static omp_lock_t lock;
  static omp_nest_lock_t nest_lock;
  sem_init(&held, 0, 0);
  sem_init(&done, 0, 0);
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest_lock);
#pragma omp parallel num_threads(2)
  for (int round = 1; round <= 2 * kRounds; round++) {
    const bool nest = round > kRounds;
    if (omp_get_thread_num() == 0) {
      nest ? Hold(&nest_lock, iterations) : Hold(&lock, iterations);
    } else {
      nest ? Poll(&nest_lock, iterations / kPolls) : Poll(&lock, iterations / kPolls);
    }
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest_lock);
  printf("truth count failed %d\n", failed.load());
  holding.Print();
  polling.Print();
  truth::PrintProcess();
  return 0;
}

// Two threads have far more events than waits. Timing each event would cost more than --max-overhead allows, so a
// profiler has to estimate the waits. The program measures its waits itself.
//   governed [MS] [EVENTS]
// Each of three parts takes about MS. For each wait there are EVENTS that wait for nothing; they come in bursts.
// It prints:
//   truth wait barrier ns N     both threads, at barriers; `late_work` keeps one of them.
//   truth wait task ns N        both threads, for tasks that the other one executes: `task_work`.
//   truth wait lock ns N        both threads, for a lock that is held in `locked_work`.
//   truth count NAME count N    how many tasks were made, and how often the lock was taken.
#include <omp.h>

#include "truth.h"

TRUTH_WORK(late_work)
TRUTH_WORK(early_work)
TRUTH_WORK(task_work)
TRUTH_WORK(locked_work)
TRUTH_WORK(free_work)

namespace {

constexpr double kUnitMs = 0.0871;  // no divisor of a sampling period
uint64_t unit;
int events;
std::atomic<uint64_t> waited[3];
std::atomic<uint64_t> tasks{0}, locked{0};

struct alignas(128) Own {
  omp_lock_t lock;
  uint64_t executed;  // time in tasks
} own[64];

uint64_t Now() { return truth::ClockNs(CLOCK_MONOTONIC); }

// Events in which nobody waits. They come in bursts: observed events take longer, and the measured waits must not
// depend on that.
constexpr long kBurst = 16;

__attribute__((noinline)) void MeetRuntime(long round) {
  if (round % kBurst != 0) return;
  for (long i = 0; i < kBurst * events; i++) {
#pragma omp taskwait
  }
}

__attribute__((noinline)) void TakeOwnLock(long round) {
  if (round % kBurst != 0) return;
  omp_lock_t* lock = &own[omp_get_thread_num()].lock;
  for (long i = 0; i < 3 * kBurst * events; i++) {
    omp_set_lock(lock);
    omp_unset_lock(lock);
  }
}

void Barriers(long rounds) {
#pragma omp parallel num_threads(2)
  for (long i = 0; i < rounds; i++) {
    if (omp_get_thread_num() == 0)
      late_work(unit * 2);
    else
      early_work(unit);
    const uint64_t begin = Now();
#pragma omp barrier
    waited[0] += Now() - begin;
    MeetRuntime(i);
  }
}

void Tasks(long rounds) {
#pragma omp parallel num_threads(2)
  {
    Own* mine = &own[omp_get_thread_num()];
    mine->executed = 0;
#pragma omp single nowait
    for (long i = 0; i < rounds; i++) {
#pragma omp task
      {
        const uint64_t begin = Now();
        task_work(unit * 2);
        own[omp_get_thread_num()].executed += Now() - begin;
      }
      tasks++;
      const uint64_t before = mine->executed;
      const uint64_t begin = Now();
#pragma omp taskwait
      waited[1] += Now() - begin - (mine->executed - before);
    }
    // The thread that makes no task waits here for the other's tasks.
    const uint64_t before = mine->executed;
    const uint64_t begin = Now();
#pragma omp barrier
    waited[1] += Now() - begin - (mine->executed - before);
  }
}

void Locks(long rounds) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  // The threads share the rounds, so that neither waits long for the other at the region's end.
  std::atomic<long> rounds_left{2 * rounds};
#pragma omp parallel num_threads(2)
  for (long i = 0; rounds_left-- > 0; i++) {
    const uint64_t begin = Now();
    omp_set_lock(&lock);
    waited[2] += Now() - begin;
    locked++;
    locked_work(unit);
    omp_unset_lock(&lock);
    free_work(unit / 2);
    TakeOwnLock(i);
  }
  omp_destroy_lock(&lock);
}

}  // namespace

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 1000));
  events = static_cast<int>(truth::Argument(argc, argv, 2, 100));
  unit = truth::Iterations(kUnitMs);
  for (Own& of_thread : own) omp_init_lock(&of_thread.lock);
  const long rounds = static_cast<long>(ms / kUnitMs / 2);
  Barriers(rounds);
  Tasks(rounds);
  Locks(rounds);
  const char* const names[] = {"barrier", "task", "lock"};
  for (int i = 0; i < 3; i++) printf("truth wait %s ns %llu\n", names[i], (unsigned long long)waited[i]);
  printf("truth count tasks count %llu\n", (unsigned long long)tasks);
  printf("truth count locked count %llu\n", (unsigned long long)locked);
  return 0;
}

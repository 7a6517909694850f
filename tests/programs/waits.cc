// One kind of waiting in each mode, with two threads and an active wait policy. The thread itself measures the CPU time
// that it burns while it waits. The profile should have that time as that kind of waiting.
//   waits barrier|implicit|lock|critical|ordered|taskwait|taskgroup [CPU_MS]
// The waiting thread waits for half of the time, so a run takes about CPU_MS / 2 of wall time.
#include <omp.h>
#include <string.h>

#include "truth.h"

TRUTH_WORK(holder_work)
TRUTH_WORK(other_work)

static truth::Account work("function", "holder_work");

constexpr int kRounds = 5;

// Thread 0 comes late to the barrier; thread 1 measures what it burns there.
TRUTH_FUNCTION void wait_barrier(double ms, truth::Account* waited) {
#pragma omp parallel num_threads(2)
  for (int round = 0; round < kRounds; round++) {
    if (omp_get_thread_num() == 0) {
      truth::Timed timed(work);
      holder_work(truth::Iterations(ms / kRounds));
    }
    truth::Timed timed(*waited);
#pragma omp barrier
  }
  TRUTH_NO_TAIL_CALL();
}

// The same at the barrier that a worksharing loop implies.
TRUTH_FUNCTION void wait_implicit(double ms, truth::Account* waited) {
#pragma omp parallel num_threads(2)
  for (int round = 0; round < kRounds; round++) {
    uint64_t start = 0;
#pragma omp for schedule(static)
    for (int i = 0; i < 2; i++) {
      if (i == 0) {
        truth::Timed timed(work);
        holder_work(truth::Iterations(ms / kRounds));
      }
      start = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
    }
    waited->Add(truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) - start);
  }
  TRUTH_NO_TAIL_CALL();
}

// Thread 0 takes the lock and says so. Then thread 1 tries to take it.
TRUTH_FUNCTION void wait_lock(double ms, truth::Account* waited) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  std::atomic<int> held{0};
#pragma omp parallel num_threads(2)
  for (int round = 0; round < kRounds; round++) {
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
      held = round + 1;
      {
        truth::Timed timed(work);
        holder_work(truth::Iterations(ms / kRounds));
      }
      omp_unset_lock(&lock);
    } else {
      while (held != round + 1) other_work(1000);
      {
        truth::Timed timed(*waited);
        omp_set_lock(&lock);
      }
      omp_unset_lock(&lock);
    }
#pragma omp barrier
  }
  omp_destroy_lock(&lock);
}

TRUTH_FUNCTION void wait_critical(double ms, truth::Account* waited) {
  std::atomic<int> held{0};
#pragma omp parallel num_threads(2)
  for (int round = 0; round < kRounds; round++) {
    if (omp_get_thread_num() == 1) {
      while (held != round + 1) other_work(1000);
    }
    const uint64_t start = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
#pragma omp critical(hot)
    {
      if (omp_get_thread_num() == 0) {
        held = round + 1;
        truth::Timed timed(work);
        holder_work(truth::Iterations(ms / kRounds));
      } else {
        waited->Add(truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) - start);
      }
    }
#pragma omp barrier
  }
  TRUTH_NO_TAIL_CALL();
}

// Iteration 1 of an ordered loop waits for iteration 0's ordered block.
TRUTH_FUNCTION void wait_ordered(double ms, truth::Account* waited) {
#pragma omp parallel num_threads(2)
  for (int round = 0; round < kRounds; round++) {
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 2; i++) {
      const uint64_t start = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
#pragma omp ordered
      {
        if (i == 0) {
          truth::Timed timed(work);
          holder_work(truth::Iterations(ms / kRounds));
        } else {
          waited->Add(truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) - start);
        }
      }
    }
  }
  TRUTH_NO_TAIL_CALL();
}

// Thread 0 makes a task, and sees that thread 1 has taken it. Its taskwait has nothing to run and can only wait.
TRUTH_FUNCTION void wait_taskwait(double ms, truth::Account* waited) {
#pragma omp parallel num_threads(2)
#pragma omp master
  for (int round = 0; round < kRounds; round++) {
    std::atomic<bool> taken{false};
#pragma omp task shared(taken)
    {
      taken = true;
      truth::Timed timed(work);
      holder_work(truth::Iterations(ms / kRounds));
    }
    while (!taken) other_work(1000);
    truth::Timed timed(*waited);
#pragma omp taskwait
  }
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void wait_taskgroup(double ms, truth::Account* waited) {
#pragma omp parallel num_threads(2)
#pragma omp master
  for (int round = 0; round < kRounds; round++) {
    std::atomic<bool> taken{false};
    uint64_t start = 0;
#pragma omp taskgroup
    {
#pragma omp task shared(taken)
      {
        taken = true;
        truth::Timed timed(work);
        holder_work(truth::Iterations(ms / kRounds));
      }
      while (!taken) other_work(1000);
      start = truth::ClockNs(CLOCK_THREAD_CPUTIME_ID);
    }
    waited->Add(truth::ClockNs(CLOCK_THREAD_CPUTIME_ID) - start);
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(double, truth::Account*);
  } kinds[] = {{"barrier", wait_barrier},    {"implicit", wait_implicit}, {"lock", wait_lock},
               {"critical", wait_critical},  {"ordered", wait_ordered},   {"taskwait", wait_taskwait},
               {"taskgroup", wait_taskgroup}};
  const double ms = static_cast<double>(truth::Argument(argc, argv, 2, 3000)) / 2;
  for (const auto& kind : kinds) {
    if (argc > 1 && strcmp(argv[1], kind.name) == 0) {
      truth::Account waited("state", kind.name);
      kind.run(ms, &waited);
      work.Print();
      waited.Print();
      truth::PrintProcess();
      return 0;
    }
  }
  fprintf(stderr, "usage: waits barrier|implicit|lock|critical|ordered|taskwait|taskgroup [CPU_MS]\n");
  return 2;
}

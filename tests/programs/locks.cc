// Locks of every kind. One thread holds a lock while another waits. The program prints for each lock, under the name
// that the profile should give it:
//   truth wall NAME N         wall time that the other thread waited, by its own clock
//   truth wall NAME/held N    the part of it until the lock was given back
//   truth wall NAME/p95 N     the 95th percentile of these waits, by nearest rank
//   truth count NAME N        waits of a millisecond or more
//   locks [MS]     MS: how long each lock is held in all
// Each lock is held in a function of its own, hold_NAME. That function is to blame for the waits of want_NAME.
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <new>

#include "truth.h"

TRUTH_WORK(holder_work)

struct Table {
  int size;
  omp_lock_t locks[4];
};

struct Account {
  long sum;
  omp_lock_t lock;
};

// Not static: an optimizer that knows all uses could take the locks apart.
omp_lock_t global_lock;
omp_nest_lock_t nest_lock;
omp_lock_t spread_lock;
Table table;
Account* account;

static std::atomic<int> held;  // written by the holder, in this round
static double held_ms;

constexpr int kRounds = 5;
constexpr int kSpreadRounds = 20;
// The time at which the lock was given back. Threads read this time after the next barrier, while the other value may
// be written.
static std::atomic<uint64_t> released[2];

static void Hold(int round) {
  held.store(round, std::memory_order_release);
  holder_work(truth::Iterations(held_ms));
}

static void Released(int slot) { released[slot].store(truth::ClockNs(CLOCK_MONOTONIC), std::memory_order_relaxed); }

// One wait in twenty is much longer than most, and one wait is the longest.
static void HoldSpread(int round) {
  held.store(round, std::memory_order_release);
  const int kind = round % kSpreadRounds;
  holder_work(truth::Iterations(held_ms * (kind == 3 ? 1.5 : kind == 11 ? 0.75 : 0.05)));
}

// How long the waiting thread waited, by its own clock.
struct Wait {
  uint64_t ns = 0;
  uint64_t held_ns = 0;
  uint64_t waits = 0;
  uint64_t since = 0;
  uint64_t until = 0;
  uint64_t lengths[kSpreadRounds] = {};
  int rounds = 0;
  void Begin(int round) {
    while (held.load(std::memory_order_acquire) != round) sched_yield();
    since = truth::ClockNs(CLOCK_MONOTONIC);
  }
  void End() { until = truth::ClockNs(CLOCK_MONOTONIC); }
  // Read after the barrier.
  void Settle(int slot) {
    const uint64_t back = released[slot].load(std::memory_order_relaxed);
    const uint64_t held_until = back < until ? back : until;
    ns += until - since;
    held_ns += held_until > since ? held_until - since : 0;
    waits += until - since >= 1000000 ? 1 : 0;
    lengths[rounds++] = until - since;
  }
  void Add(const Wait& other) {
    ns += other.ns;
    held_ns += other.held_ns;
    waits += other.waits;
    for (int i = 0; i < other.rounds; i++) lengths[rounds++] = other.lengths[i];
  }
  void Print(const char* name) {
    std::sort(lengths, lengths + rounds);
    const int rank = (rounds * 95 + 99) / 100;
    printf("truth wall %s wall_ns %llu\n", name, static_cast<unsigned long long>(ns));
    printf("truth wall %s/held wall_ns %llu\n", name, static_cast<unsigned long long>(held_ns));
    printf("truth wall %s/p95 wall_ns %llu\n", name, static_cast<unsigned long long>(lengths[rank - 1]));
    printf("truth count %s waits %llu\n", name, static_cast<unsigned long long>(waits));
  }
};

#define LOCK_PAIR(name, type, lock)                        \
  TRUTH_FUNCTION void hold_##name(int round) {             \
    omp_set_##type(lock);                                  \
    Hold(round);                                           \
    omp_unset_##type(lock);                                \
  }                                                        \
  TRUTH_FUNCTION void want_##name(int round, Wait* wait) { \
    wait->Begin(round);                                    \
    omp_set_##type(lock);                                  \
    wait->End();                                           \
    omp_unset_##type(lock);                                \
  }

LOCK_PAIR(global, lock, &global_lock)
LOCK_PAIR(second, lock, &table.locks[1])
LOCK_PAIR(last, lock, &table.locks[3])
LOCK_PAIR(nested, nest_lock, &nest_lock)
LOCK_PAIR(account, lock, &account->lock)
LOCK_PAIR(remade, lock, &account->lock)

TRUTH_FUNCTION void hold_spread(int round) {
  omp_set_lock(&spread_lock);
  HoldSpread(round);
  omp_unset_lock(&spread_lock);
}

TRUTH_FUNCTION void want_spread(int round, Wait* wait) {
  wait->Begin(round);
  omp_set_lock(&spread_lock);
  wait->End();
  omp_unset_lock(&spread_lock);
}

TRUTH_FUNCTION void hold_hot(int round) {
#pragma omp critical(hot)
  Hold(round);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void want_hot(int round, Wait* wait) {
  wait->Begin(round);
#pragma omp critical(hot)
  wait->End();
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void hold_unnamed(int round) {
#pragma omp critical
  Hold(round);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void want_unnamed(int round, Wait* wait) {
  wait->Begin(round);
#pragma omp critical
  wait->End();
  TRUTH_NO_TAIL_CALL();
}

// Two criticals in one function. An optimizer keeps their names in registers through the loop.
TRUTH_FUNCTION void both_criticals(int round, Wait* first, Wait* second) {
  for (int half = 0; half < 2; half++) {
    const bool holder = (omp_get_thread_num() == 0) == (half == 0);
    const int number = round * 2 + half;
    if (!holder) first->Begin(number);
#pragma omp critical(left)
    {
      if (holder) {
        Hold(number);
      } else {
        first->End();
      }
    }
    if (holder) Released(0);
#pragma omp barrier
    if (!holder) first->Settle(0);
    if (!holder) second->Begin(-number);
#pragma omp critical(right)
    {
      if (holder) {
        Hold(-number);
      } else {
        second->End();
      }
    }
    if (holder) Released(1);
#pragma omp barrier
    if (!holder) second->Settle(1);
  }
}

TRUTH_FUNCTION void make_account() {
  omp_init_lock(&account->lock);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void remake_account() {
  omp_init_lock(&account->lock);
  TRUTH_NO_TAIL_CALL();
}

static void Measure(const char* name, void (*hold)(int), void (*want)(int, Wait*), int count = kRounds) {
  static int rounds = 0;
  const int first = rounds + 1;
  rounds += count;
  Wait wait;
#pragma omp parallel num_threads(2)
  for (int round = first; round < first + count; round++) {
    if (omp_get_thread_num() == 0) {
      hold(round);
      Released(round & 1);
    } else {
      want(round, &wait);
    }
#pragma omp barrier
    if (omp_get_thread_num() == 1) wait.Settle(round & 1);
  }
  wait.Print(name);
}

int main(int argc, char** argv) {
  held_ms = static_cast<double>(truth::Argument(argc, argv, 1, 250)) / kRounds;
  truth::Iterations(1);
  omp_init_lock(&global_lock);
  omp_init_nest_lock(&nest_lock);
  omp_init_lock(&spread_lock);
  for (omp_lock_t& lock : table.locks) omp_init_lock(&lock);
  Measure("global_lock", hold_global, want_global);
  Measure("table.locks[1]", hold_second, want_second);
  Measure("table.locks[3]", hold_last, want_last);
  Measure("nest_lock", hold_nested, want_nested);
  Measure("spread_lock", hold_spread, want_spread, kSpreadRounds);
  Measure("hot", hold_hot, want_hot);
  Measure("unnamed", hold_unnamed, want_unnamed);

  account = new Account();
  make_account();
  Measure("make_account", hold_account, want_account);
  omp_destroy_lock(&account->lock);
  remake_account();
  Measure("remake_account", hold_remade, want_remade);
  omp_destroy_lock(&account->lock);
  delete account;

  Wait left[2];
  Wait right[2];
  held.store(0, std::memory_order_relaxed);
#pragma omp parallel num_threads(2)
  for (int round = 1000; round < 1000 + kRounds; round++) {
    both_criticals(round, &left[omp_get_thread_num()], &right[omp_get_thread_num()]);
  }
  left[0].Add(left[1]);
  right[0].Add(right[1]);
  left[0].Print("left");
  right[0].Print("right");
  truth::PrintProcess();
  return 0;
}

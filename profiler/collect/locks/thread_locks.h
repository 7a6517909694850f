// The locks of one thread: the one that it waits for, those that it holds, and those at which it has met others
// (lock_waits.h).
#ifndef OMPPROF_PROFILER_COLLECT_LOCKS_THREAD_LOCKS_H_
#define OMPPROF_PROFILER_COLLECT_LOCKS_THREAD_LOCKS_H_

#include <signal.h>
#include <stdint.h>

#include <atomic>

#include "profiler/collect/blame/wait_stats.h"
#include "profiler/collect/locks/lock_table.h"
#include "profiler/collect/tasks/region.h"

namespace ompprof::collect {

// Written by the thread's own callbacks.
struct ThreadLocks {
  // Between mutex_acquire and mutex_acquired: what the thread waits for (ompt_mutex_t, 0: nothing) and its wait id.
  // Read by its handler.
  volatile sig_atomic_t wanted_kind;
  uint64_t wanted_id;

  // Of that acquisition.
  LockTable::Ticket ticket;  // else with slot 0
  uint64_t codeptr_ra;
  uint64_t since_ns;  // of the window clock, if the ticket is unmeasured
  RegionRef region;   // whose team counts this thread as queueing; 0: none does
  Doing did;          // what the thread did before

  // What a wait may take: the longest of the last ones, less an eighth for each since.
  uint64_t likely_wait_ns;

  // Locks at which the thread has met others, by the lock's hash.
  struct Hot {
    uint64_t wait_id;
    uint32_t slot;          // in the lock table
    uint32_t acquisitions;  // at how many of the next ones it expects them
    WaitCounts* waits;      // where the last wait for it went,
    WaitCounts* charges;    // and the last charge
  };
  static constexpr uint32_t kMostHot = 16;
  Hot hot[kMostHot];

  struct Held {
    uint64_t wait_id;
    uint64_t codeptr_ra;
    uint32_t slot;            // in the lock table
    uint32_t turn;            // of Acquired; 0: it came alone
    uint64_t since_ns;        // 0: it came alone, and nobody took the time
    LockTable::Ticket quick;  // slot 0: the table knows of the acquisition, unless that is unmeasured
  };
  static constexpr uint32_t kMostHeld = 8;
  Held held[kMostHeld];
  Held* quick_place;  // where the ticket is instead if QuickRelease is to tell of the acquisition; else NULL
  std::atomic<uint64_t> handoff_ns;  // of QuickRelease, until the thread ends

  // For another thread.
  void Reset() {
    wanted_kind = 0;
    ticket = {};
    region = 0;
    likely_wait_ns = 1000000000;
    for (Hot& lock : hot) lock = {};
    for (Held& lock : held) lock = {};
    quick_place = nullptr;
    handoff_ns.store(0, std::memory_order_relaxed);
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_LOCKS_THREAD_LOCKS_H_

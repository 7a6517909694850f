// The locks of one thread, a part of ThreadState. They are the lock that it waits for, the locks that it holds, and the
// locks at which it has met others (lock_waits.h).
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
  // Between mutex_acquire and mutex_acquired: the kind of the awaited lock (ompt_mutex_t, 0: none) and its wait id. The
  // thread's handler reads both.
  volatile sig_atomic_t wanted_kind;
  uint64_t wanted_id;

  // These belong to that acquisition.
  LockTable::Ticket ticket;  // slot 0 outside an acquisition
  uint64_t codeptr_ra;
  uint64_t since_ns;  // by the window clock, if the ticket is unmeasured
  RegionRef region;   // the region whose team counts this thread as queueing; 0: none
  Participation participation_before;

  // Acquisitions while waits for locks are estimated, by the lock. The thread's callbacks add to them, and the writer
  // reads them.
  struct Acquisitions {
    std::atomic<uint64_t> all;
    std::atomic<uint64_t> found;       // in windows
    std::atomic<uint64_t> stands_for;  // the number that `found` stands for, in units of 1 / kWindowWeightOfOne
  };
  static constexpr uint32_t kAcquisitions = 32;
  Acquisitions acquisitions[kAcquisitions];
  // Locks with the same hash share an entry.
  Acquisitions& AcquisitionsOf(uint64_t wait_id) { return acquisitions[LockTable::Hash(wait_id) % kAcquisitions]; }
  const Acquisitions& AcquisitionsOf(uint64_t wait_id) const {
    return acquisitions[LockTable::Hash(wait_id) % kAcquisitions];
  }
  // The thread's last look at the window clock when it wanted a lock.
  struct Look {
    uint64_t wait_id;
    uint64_t real_ns;
    uint32_t stamp;  // of the window clock
    uint16_t since;  // how often the thread has wanted the lock since then without a look
    bool in_window;
    bool often;  // the thread takes this lock so often that it need not look each time
  } look;

  // The likely length of a wait: the longest of the last waits, minus an eighth for each wait since.
  uint64_t likely_wait_ns;

  // Locks at which the thread has met others, by the lock's hash.
  struct Hot {
    uint64_t wait_id;
    uint32_t slot;          // in the lock table
    uint32_t acquisitions;  // at this many next acquisitions, the thread expects others
    WaitCounts* waits;      // the counts of its last wait for this lock
    WaitCounts* charges;    // the counts of its last charge
  };
  static constexpr uint32_t kMostHot = 16;
  Hot hot[kMostHot];

  struct Held {
    uint64_t wait_id;
    uint64_t codeptr_ra;
    uint32_t slot;            // in the lock table
    uint32_t turn;            // from Acquired; 0: the thread came alone
    uint64_t since_ns;        // 0: the thread came alone, and nobody took the time
    LockTable::Ticket quick;  // slot 0: the table knows of the acquisition, unless it is unmeasured
  };
  static constexpr uint32_t kMostHeld = 8;
  Held held[kMostHeld];
  Held* quick_place;                 // holds the ticket if QuickRelease will report the acquisition; otherwise NULL
  std::atomic<uint64_t> handoff_ns;  // from QuickRelease, until the thread ends

  // Prepares the state for another thread.
  void Reset() {
    wanted_kind = 0;
    ticket = {};
    region = 0;
    for (Acquisitions& of_lock : acquisitions) {
      of_lock.all.store(0, std::memory_order_relaxed);
      of_lock.found.store(0, std::memory_order_relaxed);
      of_lock.stands_for.store(0, std::memory_order_relaxed);
    }
    look = {};
    likely_wait_ns = 1000000000;
    for (Hot& lock : hot) lock = {};
    for (Held& lock : held) lock = {};
    quick_place = nullptr;
    handoff_ns.store(0, std::memory_order_relaxed);
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_LOCKS_THREAD_LOCKS_H_

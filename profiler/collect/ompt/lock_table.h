// Locks that threads wait for, by wait id, and what their holders owe.
//
// Directed blame: Tallent, Mellor-Crummey and Porterfield, "Analyzing lock contention in multithreaded applications",
// PPoPP 2010, section 4: waiting is charged to the lock, and the holder takes the charge when it releases. Here the
// charge is exact, not sampled: at a release at time T, the n threads that wait have together waited n T - S since the
// release before (or since they came), where S is the sum of those times.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_LOCK_TABLE_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_LOCK_TABLE_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

class LockTable {
 public:
  // What a thread carries from acquire to acquired.
  struct Ticket {
    uint32_t slot;   // 0: not in the table
    bool contended;  // someone held it, or waited, when this thread came
    uint32_t taken;  // how often it had been taken by then
    uint64_t since_ns;
  };

  // All in the thread's own callbacks, in this order. Lock-free but for a spin of a few instructions on the lock's own
  // entry.
  Ticket Acquire(uint64_t wait_id, uint64_t now_ns);
  // How long the thread waited, 0 if nobody was in its way. `turn`, if not null: for Release.
  uint64_t Acquired(const Ticket& ticket, uint64_t now_ns, uint32_t* turn = nullptr);
  // What others have waited for the calling holder since the release before. `turn`: that of its acquisition, 0 if it
  // is not known any more.
  uint64_t Release(uint64_t wait_id, uint64_t now_ns, uint32_t turn = 0);
  // A test that failed.
  void GiveUp(const Ticket& ticket);

  // Waits that nobody was charged with: between a release and the next holder's return from its wait.
  uint64_t handoff_ns() const { return handoff_ns_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kSlots = 8192;
  // What was waited for a holder by the time that the next one had the lock, before its own mutex_released.
  struct Debt {
    uint32_t turn;
    uint64_t ns;
  };
  static constexpr uint32_t kDebts = 4;
  struct alignas(64) Entry {
    std::atomic<uint64_t> wait_id;
    std::atomic<uint32_t> busy;
    uint32_t waiting;
    uint32_t held;
    uint32_t taken;
    uint64_t since_sum_ns;   // over those that wait: when the time not yet charged began
    uint64_t charged_at_ns;  // the last release
    uint32_t reported;       // the last turn but for those that report late
    Debt debts[kDebts];      // by turn modulo kDebts
  };

  uint32_t Find(uint64_t wait_id, bool insert);
  static void Lock(Entry* entry);
  static void Unlock(Entry* entry) { entry->busy.store(0, std::memory_order_release); }

  std::atomic<uint64_t> handoff_ns_;
  Entry entries_[kSlots];  // entry 0 is not used
};

extern LockTable lock_table;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_LOCK_TABLE_H_

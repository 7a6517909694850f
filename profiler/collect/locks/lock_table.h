// The table of locks that threads hold or want, by wait id, with the debt of their holders. lock_waits.cc calls it in
// the OMPT callbacks of mutexes. Fixed size; lock-free except for a short spin on a lock's own entry.
//
// Directed blame: Tallent, Mellor-Crummey and Porterfield, "Analyzing lock contention in multithreaded applications",
// PPoPP 2010, section 4. Waiting is charged to the lock, and the holder takes the charge when it releases the lock.
// Here the charge is exact, not sampled. At a release at time T, the n contenders have together waited n T - S since
// the previous release (or since they came). S is the sum of the times at which their uncharged waiting began.
//
// A lock that only one thread at a time wants costs no clock: its entry's `users` says so. Three calls serve this case
// (AcquireAlone, AcquiredAlone, ReleaseAlone). Each of them says whether it was enough. If not, the exact call with a
// time follows.
//
// A lock that goes from hand to hand is best left alone while it is held. An atomic operation on a line that the
// contenders use would make the guarded work take twice as long. So a thread that waited only for a moment reports its
// acquisition together with its release (QuickRelease). If such a thread loses its processor before that, others are
// charged for it as if it still waited. Its report takes this charge back. A thread that expects contenders does so
// even if it finds none (AcquireHot), because a thread that comes alone has to say that it has the lock.
//
// The table keeps the locks that some thread holds or wants, because programs may have a lock for each vertex of a
// graph. It is an associative cache of sets of kWays entries each. A line for the whole set says which lock each entry
// belongs to. This line is rarely written, so a search takes one line and does not move any entry's line. A lock
// without an entry takes the place of a lock in its set that nobody holds or wants. Nothing is lost with the old entry
// except an excess charge, which is added up. A holder or contender keeps its entry, because `users` is not 0. A thread
// that remembers an entry, or has searched for it, first becomes its user and then checks that the entry still belongs
// to the lock.
#ifndef OMPPROF_PROFILER_COLLECT_LOCKS_LOCK_TABLE_H_
#define OMPPROF_PROFILER_COLLECT_LOCKS_LOCK_TABLE_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

class LockTable {
 public:
  // A thread's data from acquire to acquired.
  struct Ticket {
    uint32_t slot;    // 0: the lock has no entry, because every entry of its set is in use
    bool alone;       // from AcquireAlone
    bool contended;   // another thread held the lock, or waited, when this thread came
    bool quick;       // QuickRelease may be called instead of Acquired and Release
    bool unmeasured;  // slot is 0, and the release is not reported either
    uint32_t taken;   // number of acquisitions of the lock by then
    uint64_t since_ns;
  };

  static constexpr uint32_t kWays = 8;
  static constexpr uint32_t kSets = 1024;

  static uint32_t Hash(uint64_t wait_id) { return static_cast<uint32_t>((wait_id * 0x9e3779b97f4a7c15ull) >> 40); }
  static uint32_t SetOf(uint64_t wait_id) { return Hash(wait_id) % kSets; }

  // All of these run in the thread's own callbacks, in this order. Lock-free, except for a spin of a few instructions
  // on the lock's own entry.

  // A thread wants a lock that nobody holds or wants. False: the caller must call Acquire. Not for an ordered region,
  // which may be free and still not be this thread's turn.
  bool AcquireAlone(uint64_t wait_id, Ticket* ticket);
  Ticket Acquire(uint64_t wait_id, uint64_t now_ns);
  // For a thread that expects contenders. `slot` comes from an earlier ticket. Not for an ordered region. False: the
  // slot now belongs to another lock, and nothing has been done.
  bool AcquireHot(uint64_t wait_id, uint32_t slot, uint64_t now_ns, Ticket* ticket);

  // A thread that came alone has the lock, and nobody was in its way. False: the caller must call Acquired.
  bool AcquiredAlone(const Ticket& ticket);
  // The thread's waiting time; 0 if nobody was in its way. `turn`, if not null: for Release.
  uint64_t Acquired(const Ticket& ticket, uint64_t now_ns, uint32_t* turn = nullptr);

  // A thread that came alone releases the lock, and nobody has come meanwhile. False: the caller must call Release.
  // `slot`: from the ticket; 0 if it is not known any more.
  bool ReleaseAlone(uint64_t wait_id, uint32_t slot);
  // The contenders' waiting for the calling holder since the previous release. `turn`: from Acquired; 0 if the holder
  // came alone or the turn is not known any more.
  uint64_t Release(uint64_t wait_id, uint64_t now_ns, uint32_t turn = 0);

  // Acquired and Release at once. The thread came with the ticket and had the lock at `acquired_ns`, not before the
  // ticket's time. `ns`: the contenders' waiting. `waited`: whether the thread has waited since the ticket's time.
  struct Charge {
    uint64_t ns;
    bool waited;
  };
  // `handoff_ns` grows by the waiting for which nobody was charged. AddHandoff takes it later.
  Charge QuickRelease(const Ticket& ticket, uint64_t acquired_ns, uint64_t now_ns, uint64_t* handoff_ns);

  // A holder that the table does not know releases the lock. Returns the waiting of the contenders that the table
  // knows.
  uint64_t ChargeWaiting(uint64_t wait_id, uint64_t now_ns);

  // Instead of Acquired: the thread already holds the nestable lock, or no end of its wait was reported.
  void GiveUp(const Ticket& ticket);

  // The program has destroyed the lock. Its entry is the first to be reused, unless a thread still has to report a
  // release.
  void Destroy(uint64_t wait_id);

  // For an unmeasured ticket: whether this is the first call.
  bool IsFirstUnmeasured() { return !unmeasured_told_.exchange(true, std::memory_order_relaxed); }

  // For a forked child, which has none of the threads at the locks.
  void Forget();

  // Waiting for which nobody was charged, between a release and the next holder's return from its wait. Excess charges
  // that were never taken back are subtracted, so the result may be negative. A charge is not taken back if nobody has
  // waited for that lock since.
  int64_t handoff_ns() const;
  void AddHandoff(uint64_t ns) {
    if (ns != 0) handoff_ns_.fetch_add(ns, std::memory_order_relaxed);
  }

 private:
  static constexpr uint32_t kSlots = (kSets + 1) * kWays;  // the first set is not used: no slot is 0

  // Entry::users: the number of threads that hold the lock or want it. A thread that came alone is not counted, but has
  // the bits above:
  static constexpr uint32_t kAlone = 1u << 28;       // a thread found nobody: it wants the lock
  static constexpr uint32_t kAloneHolds = 1u << 29;  // that thread has the lock
  static constexpr uint32_t kAloneExact = 1u << 30;  // that thread's next call is an exact call
  static constexpr uint32_t kBusy = 1u << 31;        // a thread is changing the entry's other members

  struct alignas(64) Entry {
    std::atomic<uint32_t> users;
    uint16_t waiting;
    uint16_t held;           // by threads that are counted in `users`
    uint32_t taken;          // acquisitions, except those alone: the number of the last is its turn
    uint32_t alone_turn;     // the turn of the debt of the thread that came alone
    uint32_t held_since_ns;  // low half of the time of the last acquisition
    uint8_t used_debts;      // bits of the used debts_
    bool alone_has_debt;
    bool released;            // the holder of the last turn has reported its release
    uint64_t since_sum_ns;    // sum over waiting threads of the begin of their uncharged waiting, plus excess charges
    uint64_t charged_at_ns;   // the last release
    uint64_t clock_ns;        // the latest time that a thread brought
    uint64_t alone_since_ns;  // since then, a thread that came alone waits after all
  };
  static_assert(sizeof(Entry) == 64, "a lock's callbacks touch one line");

  // A lock that loses its entry to other locks this often, each time between two searches, gets no entry.
  static constexpr int kTries = 4;

  // The slot of the lock's entry; 0: there is none.
  uint32_t Find(uint64_t wait_id) const;
  bool IsOf(uint32_t slot, uint64_t wait_id) const {
    return wait_ids_[slot].load(std::memory_order_relaxed) == wait_id;
  }
  // Makes an entry without users; 0: every entry of the set has users.
  uint32_t Insert(uint64_t wait_id);
  // Empties an entry without users. The entry is then kBusy and belongs to no lock. False: it has users.
  bool Vacate(uint32_t slot);
  bool InsertAlone(uint64_t wait_id, Ticket* ticket);
  bool Queue(uint64_t wait_id, uint32_t slot, uint64_t now_ns, bool hot, Ticket* ticket);
  // Sets kBusy for the caller, and returns the new `users`. Unlock sets the final `users`.
  static uint32_t Lock(Entry* entry);
  static void Unlock(Entry* entry, uint32_t before, uint32_t after);
  static uint32_t Without(uint32_t users);
  // A thread's time may be older than its turn. Within an entry, time does not go back: otherwise charges and waits
  // would differ.
  static uint64_t Advance(Entry* entry, uint64_t now_ns) {
    if (now_ns > entry->clock_ns) entry->clock_ns = now_ns;
    return entry->clock_ns;
  }
  // The waiting for a holder that has not reported its release. The holder takes this debt with its report.
  struct Debt {
    uint32_t turn;
    uint64_t ns;
  };
  static constexpr uint32_t kDebts = 8;  // the last also has all that do not fit
  void AddDebt(uint32_t slot, uint32_t turn, uint64_t ns);
  uint64_t TakeDebts(uint32_t slot, bool all, uint32_t turn);
  // A wait that began at `since_ns` is over. Returns the begin of its uncharged part.
  static uint64_t LeaveQueue(Entry* entry, uint64_t since_ns);
  // Charges the contenders' uncharged waiting up to now. Returns the charge.
  static uint64_t ChargeQueue(Entry* entry, uint64_t now_ns);

  std::atomic<uint64_t> handoff_ns_;
  std::atomic<bool> unmeasured_told_;
  // For each set. While a thread makes an entry in it, no other thread does, so that no lock ever has two entries.
  enum Set : uint8_t { kUnused, kUsed, kInserting };
  std::atomic<uint8_t> sets_[kSets + 1];
  // The lock of each entry; 0: the entry is free. Only a thread for which the set is kInserting, and that has the
  // entry's kBusy, changes it. Destroy needs only kBusy.
  alignas(64) std::atomic<uint64_t> wait_ids_[kSlots];
  Entry entries_[kSlots];
  // The debts of each entry. They lie apart from the entry, because only a holder that loses its processor has any.
  Debt debts_[kSlots][kDebts];
};

extern LockTable lock_table;

inline uint32_t LockTable::Find(uint64_t wait_id) const {
  const uint32_t hash = Hash(wait_id);
  const uint32_t first = (hash % kSets + 1) * kWays;
  // The search begins where Insert began.
  for (uint32_t way = 0; way < kWays; ++way) {
    const uint32_t slot = first + (hash / kSets + way) % kWays;
    if (wait_ids_[slot].load(std::memory_order_acquire) == wait_id) return slot;
  }
  return 0;
}

inline bool LockTable::AcquireAlone(uint64_t wait_id, Ticket* ticket) {
  ticket->slot = Find(wait_id);
  ticket->alone = true;
  ticket->quick = ticket->unmeasured = false;
  if (ticket->slot == 0) return InsertAlone(wait_id, ticket);
  uint32_t nobody = 0;
  if (!entries_[ticket->slot].users.compare_exchange_strong(nobody, kAlone, std::memory_order_acq_rel)) return false;
  return IsOf(ticket->slot, wait_id) || InsertAlone(wait_id, ticket);
}

inline bool LockTable::AcquiredAlone(const Ticket& ticket) {
  if (ticket.slot == 0) return true;
  // An addition, because its old value is needed: an OR cannot return another bit in one instruction.
  return ticket.alone &&
         (entries_[ticket.slot].users.fetch_add(kAloneHolds, std::memory_order_acq_rel) & kAloneExact) == 0;
}

inline bool LockTable::ReleaseAlone(uint64_t wait_id, uint32_t slot) {
  // The slot may belong to another lock by now, if another thread has released this lock.
  if (slot == 0 || !IsOf(slot, wait_id)) slot = Find(wait_id);
  if (slot == 0) return true;
  uint32_t one = kAlone | kAloneHolds;
  return entries_[slot].users.compare_exchange_strong(one, 0, std::memory_order_acq_rel);
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_LOCKS_LOCK_TABLE_H_

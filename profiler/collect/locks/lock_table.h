// Locks that threads wait for, by wait id, and what their holders owe.
//
// Directed blame: Tallent, Mellor-Crummey and Porterfield, "Analyzing lock contention in multithreaded applications",
// PPoPP 2010, section 4: waiting is charged to the lock, and the holder takes the charge when it releases. Here the
// charge is exact, not sampled: at a release at time T, the n threads that wait have together waited n T - S since the
// release before (or since they came), where S is the sum of those times.
//
// A lock that one thread at a time wants costs no clock: its entry's `users` says so. Three calls go with that, each of
// which says whether it was enough; the exact ones that take the time are for what was not.
//
// A lock that goes from hand to hand is best left alone while it is held: an atomic operation on a line that the others
// are at would make what the lock guards take twice as long. A thread that waited for a moment only tells of its
// acquisition when it tells of its release (QuickRelease). If it loses its processor before that, others are charged
// for it as if it waited still; they are charged less by as much when it has told. Whoever expects company does so even
// if it finds nobody (AcquireHot), as a thread that comes alone has to say that it has the lock.
//
// The table is of fixed size, and keeps the locks that somebody is at: programs have one for each vertex of a graph. It
// is an associative cache of sets of kWays entries each. Which lock an entry is of is not in the entry's own line but
// in one for the whole set, which is rarely written to: a look for an entry takes one line, whatever is in the table,
// and does not have the entry's sent. A lock that is not there takes the place of one of its set that nobody is at, of
// which nothing is lost but what was charged too much, which is added up. So whoever holds a lock or wants it keeps its
// entry, as `users` is not 0; and whoever comes with what it remembers of the entry, or has looked, makes itself a user
// of it first and asks then whether it is still the lock's.
#ifndef OMPPROF_PROFILER_COLLECT_LOCKS_LOCK_TABLE_H_
#define OMPPROF_PROFILER_COLLECT_LOCKS_LOCK_TABLE_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

class LockTable {
 public:
  // What a thread carries from acquire to acquired.
  struct Ticket {
    uint32_t slot;    // 0: the lock has no entry, as somebody is at each of its set
    bool alone;       // of AcquireAlone
    bool contended;   // someone held it, or waited, when this thread came
    bool quick;       // QuickRelease may be called instead of Acquired and Release
    bool unmeasured;  // slot is 0: nobody is to be told of the release either
    uint32_t taken;   // how often it had been taken by then
    uint64_t since_ns;
  };

  static constexpr uint32_t kWays = 8;
  static constexpr uint32_t kSets = 1024;

  static uint32_t Hash(uint64_t wait_id) { return static_cast<uint32_t>((wait_id * 0x9e3779b97f4a7c15ull) >> 40); }
  static uint32_t SetOf(uint64_t wait_id) { return Hash(wait_id) % kSets; }

  // All in the thread's own callbacks, in this order. Lock-free but for a spin of a few instructions on the lock's own
  // entry.

  // Nobody holds the lock or wants it. False: Acquire is to be called. Not for an ordered region, which may be free
  // and not yet this thread's.
  bool AcquireAlone(uint64_t wait_id, Ticket* ticket);
  Ticket Acquire(uint64_t wait_id, uint64_t now_ns);
  // For a thread that expects others at the lock, `slot` being that of an earlier ticket. Not for an ordered region.
  // False: that is another lock's by now, and nothing has been done.
  bool AcquireHot(uint64_t wait_id, uint32_t slot, uint64_t now_ns, Ticket* ticket);

  // Nobody was in the way of a thread that came alone. False: Acquired is to be called.
  bool AcquiredAlone(const Ticket& ticket);
  // How long the thread waited, 0 if nobody was in its way. `turn`, if not null: for Release.
  uint64_t Acquired(const Ticket& ticket, uint64_t now_ns, uint32_t* turn = nullptr);

  // Nobody has come meanwhile. False: Release is to be called. `slot`: the ticket's, 0 if it is not known any more.
  bool ReleaseAlone(uint64_t wait_id, uint32_t slot);
  // What others have waited for the calling holder since the release before. `turn`: that of its acquisition, 0 if it
  // came alone or that is not known any more.
  uint64_t Release(uint64_t wait_id, uint64_t now_ns, uint32_t turn = 0);

  // Both at once, for a thread that came with the ticket and had the lock at `acquired_ns`, not before the ticket's
  // time. `ns`: what others have waited; `waited`: whether the thread has, from the ticket's time on.
  struct Charge {
    uint64_t ns;
    bool waited;
  };
  // `handoff_ns`: what nobody was charged with is added to it, for AddHandoff some time.
  Charge QuickRelease(const Ticket& ticket, uint64_t acquired_ns, uint64_t now_ns, uint64_t* handoff_ns);

  // A holder that the table does not know of gives the lock back: what those have waited for it that the table knows.
  uint64_t ChargeWaiting(uint64_t wait_id, uint64_t now_ns);

  // Instead of acquired: a thread that holds a nestable lock already, or of whose wait no end was reported.
  void GiveUp(const Ticket& ticket);

  // The program has destroyed the lock: its entry is the first to be another's, unless somebody has still to tell of a
  // release.
  void Destroy(uint64_t wait_id);

  // For a ticket that is unmeasured: whether this is the first to ask.
  bool IsFirstUnmeasured() { return !unmeasured_told_.exchange(true, std::memory_order_relaxed); }

  // A forked child has none of the threads that were at the locks.
  void Forget();

  // Waits that nobody was charged with: between a release and the next holder's return from its wait. Less what was
  // charged too much and not made up for, as nobody has waited for that lock since: below 0 if that is more.
  int64_t handoff_ns() const;
  void AddHandoff(uint64_t ns) {
    if (ns != 0) handoff_ns_.fetch_add(ns, std::memory_order_relaxed);
  }

 private:
  static constexpr uint32_t kSlots = (kSets + 1) * kWays;  // the first set is not used: no slot is 0

  // Entry::users: how many hold the lock or want it, one that came alone not among them, and in bits above
  static constexpr uint32_t kAlone = 1u << 28;       // one that found nobody: it wants the lock,
  static constexpr uint32_t kAloneHolds = 1u << 29;  // it has it,
  static constexpr uint32_t kAloneExact = 1u << 30;  // its next call is an exact one,
  static constexpr uint32_t kBusy = 1u << 31;        // someone is at the entry's other members.

  struct alignas(64) Entry {
    std::atomic<uint32_t> users;
    uint16_t waiting;
    uint16_t held;           // by those that are counted in `users`
    uint32_t taken;          // acquisitions that were not alone: the number of the last is its turn
    uint32_t alone_turn;     // under which the one that came alone owes something
    uint32_t held_since_ns;  // the low half of when the last of them got it
    uint8_t owing;           // which of debts_ are in use
    bool alone_owes;
    bool released;           // the holder of the last turn has reported that
    uint64_t since_sum_ns;   // over those that wait: when the time not yet charged began; and what was charged too much
    uint64_t charged_at_ns;  // the last release
    uint64_t clock_ns;       // the latest time that anyone brought
    uint64_t alone_since_ns;  // since when one that came alone waits after all
  };
  static_assert(sizeof(Entry) == 64, "a lock's callbacks touch one line");

  // One that loses its place to others this often between a look and the next has none.
  static constexpr int kTries = 4;

  // 0: there is none.
  uint32_t Find(uint64_t wait_id) const;
  bool IsOf(uint32_t slot, uint64_t wait_id) const {
    return wait_ids_[slot].load(std::memory_order_relaxed) == wait_id;
  }
  // Makes one, of which nobody is a user yet. 0: no entry of the set is without.
  uint32_t Insert(uint64_t wait_id);
  // The entry, which nobody is at, is kBusy and of no lock. False: somebody is.
  bool Vacate(uint32_t slot);
  bool InsertAlone(uint64_t wait_id, Ticket* ticket);
  bool Queue(uint64_t wait_id, uint32_t slot, uint64_t now_ns, bool hot, Ticket* ticket);
  // `users` with kBusy, which is the caller's until Unlock says what `users` is then.
  static uint32_t Lock(Entry* entry);
  static void Unlock(Entry* entry, uint32_t before, uint32_t after);
  static uint32_t Without(uint32_t users);
  // A thread's time may be older than its turn: within an entry time does not go back, or charges and waits would
  // differ.
  static uint64_t Advance(Entry* entry, uint64_t now_ns) {
    if (now_ns > entry->clock_ns) entry->clock_ns = now_ns;
    return entry->clock_ns;
  }
  // What was waited for the holder of a turn that has not reported its release: for it to take when it does.
  struct Debt {
    uint32_t turn;
    uint64_t ns;
  };
  static constexpr uint32_t kDebts = 8;  // what there is no room for goes to the last
  void Owe(uint32_t slot, uint32_t turn, uint64_t ns);
  uint64_t TakeDebts(uint32_t slot, bool all, uint32_t turn);
  // A wait that began at `since_ns` is over: what of it is not charged yet began when?
  static uint64_t LeaveQueue(Entry* entry, uint64_t since_ns);
  // What those that wait have waited by now, and is not charged yet: charged with this.
  static uint64_t ChargeQueue(Entry* entry, uint64_t now_ns);

  std::atomic<uint64_t> handoff_ns_;
  std::atomic<bool> unmeasured_told_;
  // Of each set: somebody is making an entry in it, so that no lock ever has two.
  std::atomic<uint8_t> inserting_[kSets + 1];
  // Of each entry, 0: free. Changed by who has the set's `inserting_` and the entry's kBusy, but for Destroy, which has
  // the latter.
  alignas(64) std::atomic<uint64_t> wait_ids_[kSlots];
  Entry entries_[kSlots];
  // Of each entry. Apart from it, since only a holder that loses its processor has any.
  Debt debts_[kSlots][kDebts];
};

extern LockTable lock_table;

inline uint32_t LockTable::Find(uint64_t wait_id) const {
  const uint32_t hash = Hash(wait_id);
  const uint32_t first = (hash % kSets + 1) * kWays;
  // From where Insert has begun.
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
  // An addition, for its old value: another bit cannot be had from an OR in one instruction.
  return ticket.alone &&
         (entries_[ticket.slot].users.fetch_add(kAloneHolds, std::memory_order_acq_rel) & kAloneExact) == 0;
}

inline bool LockTable::ReleaseAlone(uint64_t wait_id, uint32_t slot) {
  // It may be another's by now if another thread has released the lock.
  if (slot == 0 || !IsOf(slot, wait_id)) slot = Find(wait_id);
  if (slot == 0) return true;
  uint32_t one = kAlone | kAloneHolds;
  return entries_[slot].users.compare_exchange_strong(one, 0, std::memory_order_acq_rel);
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_LOCKS_LOCK_TABLE_H_

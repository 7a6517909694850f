#include "profiler/collect/locks/lock_waits.h"

#include "profiler/collect/arch/floating_point.h"
#include "profiler/collect/base/notes.h"
#include "profiler/collect/blame/debt.h"
#include "profiler/collect/blame/governor.h"
#include "profiler/collect/blame/wait_intervals.h"
#include "profiler/collect/blame/wait_rows.h"
#include "profiler/collect/blame/wait_state.h"
#include "profiler/collect/locks/lock_origins.h"
#include "profiler/collect/paths/path_here.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {
namespace {

// A thread whose last waits for locks were shorter than this expects another short wait.
constexpr uint64_t kShortLockWaitNs = 20000;

// The time by the clock that measures waits for locks.
uint64_t LockNow(ThreadState* thread) {
  return governor.Estimates(Governed::kLocks) ? window_clock.Now() : NowFor(thread);
}

// Whether the runtime gave no place of the program's: none at all, as in old generations of OMPT, or a place in the
// runtime itself (see CallerHere).
bool IsNoPlace(uint64_t codeptr_ra) { return codeptr_ra == 0 || session.runtime_code.Find(codeptr_ra) != nullptr; }

// Whether a walk of the stack has to find the place of the acquisition.
bool WantsWalk(ompt_mutex_t kind, uint64_t codeptr_ra) {
  return codeptr_ra == 0 || (kind == ompt_mutex_critical && IsNoPlace(codeptr_ra));
}

// The places of a charge.
struct ChargedPlaces {
  uint64_t released_at;
  uint64_t acquired_at;  // not 0, which would make the charge a wait
};

ChargedPlaces PlacesOf(ThreadState* thread, uint64_t acquired_at, uint64_t released_at) {
  constexpr uint64_t kUnknown = 1;
  if (released_at == 0) released_at = CallerHere(thread);
  if (!IsNoPlace(acquired_at)) return {released_at, acquired_at};
  return {released_at, released_at != 0 ? released_at : kUnknown};
}

// The innermost region; NULL outside all regions.
const RegionRecord* RegionHere(ThreadState* thread) {
  const OpenTask* task = CurrentTask(thread);
  return task != nullptr ? LiveRegion(task->region) : nullptr;
}

WaitKey KeyOf(OmptState state, const RegionRecord* region, uint64_t wait_id, uint64_t codeptr_ra,
              uint64_t acquired_at) {
  return {state,
          Epoch(),
          codeptr_ra,
          region != nullptr ? region->codeptr_ra : 0,
          wait_id,
          acquired_at,
          lock_origins.Find(wait_id)};
}

// The path of a release is the holder's work, not a wait.
OmptState WorkState(const RegionRecord* region) {
  return region != nullptr ? OmptState::kWorkParallel : OmptState::kWorkSerial;
}

// The number of further acquisitions at which a thread expects contenders after it has met some.
constexpr uint32_t kHotAcquisitions = 16;

ThreadLocks::Hot& HotLockOf(ThreadState* thread, uint64_t wait_id) {
  return thread->locks.hot[LockTable::Hash(wait_id) % ThreadLocks::kMostHot];
}

// The lock's slot if the thread expects others at the lock; otherwise 0.
uint32_t HotSlot(ThreadState* thread, uint64_t wait_id) {
  const ThreadLocks::Hot& hot = HotLockOf(thread, wait_id);
  return hot.wait_id == wait_id && hot.acquisitions != 0 ? hot.slot : 0;
}

// The thread has had the lock. `met`: it has met others there.
void ExpectCompany(ThreadState* thread, uint64_t wait_id, uint32_t slot, bool met) {
  ThreadLocks::Hot& hot = HotLockOf(thread, wait_id);
  if (met) {
    hot.wait_id = wait_id;
    hot.slot = slot;
    hot.acquisitions = kHotAcquisitions;
  } else if (hot.wait_id == wait_id && hot.acquisitions > 0) {
    --hot.acquisitions;
  }
}

// The counts of this key, which is most likely the last key again.
WaitCounts* CountsOf(ThreadState* thread, const WaitKey& key, WaitCounts** last) {
  if (*last == nullptr || !((*last)->key == key)) *last = CountsOf(thread, key);
  return *last;
}

void ExpectWait(ThreadState* thread, uint64_t waited_ns) {
  thread->locks.likely_wait_ns -= thread->locks.likely_wait_ns / 8;
  if (waited_ns > thread->locks.likely_wait_ns) thread->locks.likely_wait_ns = waited_ns;
}

// The thread no longer waits for a lock.
void StopQueueing(ThreadState* thread, uint64_t now_ns) {
  if (thread->locks.region == 0) return;
  const OwnFloatingPoint floating_point;
  RegionRecord* region = LiveRegion(thread->locks.region);
  OpenTask* task = CurrentTask(thread);
  if (region != nullptr && task != nullptr && task->membership.participation == Participation::kQueueing)
    ChangeParticipation(thread, task, region, thread->locks.participation_before, now_ns);
  thread->locks.region = 0;
}

// The place to note that the thread holds the lock; NULL if the thread holds too many locks.
ThreadLocks::Held* PlaceOf(ThreadState* thread, uint64_t wait_id) {
  for (auto& held : thread->locks.held) {
    // The lock may be noted already: then another thread has released it.
    if (held.wait_id == 0 || held.wait_id == wait_id) return &held;
  }
  return nullptr;
}

// Likewise for a lock that the thread only wants. NULL also if the thread may already hold the lock (a nestable lock).
ThreadLocks::Held* FreePlaceFor(ThreadState* thread, uint64_t wait_id) {
  ThreadLocks::Held* free = nullptr;
  for (auto& held : thread->locks.held) {
    if (held.wait_id == wait_id) return nullptr;
    if (held.wait_id == 0 && free == nullptr) free = &held;
  }
  return free;
}

// The table has no entry for the lock of the thread's ticket.
__attribute__((noinline, cold)) void Unmeasured() {
  if (lock_table.IsFirstUnmeasured())
    AddNote("more locks were held or wanted at once than the collector keeps: waits for some locks are in no total");
}

// From now on, the acquisition is reported by itself.
void NoLongerQuick(ThreadState* thread) {
  thread->locks.ticket = thread->locks.quick_place->quick;
  thread->locks.quick_place->quick.slot = 0;
  thread->locks.quick_place = nullptr;
}

// Wants a lock at which the thread expects others, with a short wait. False: the long way is necessary.
bool WantedHot(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra) {
  const uint32_t slot = HotSlot(thread, wait_id);
  if (slot == 0 || kind == ompt_mutex_ordered || thread->locks.likely_wait_ns >= kShortLockWaitNs ||
      WantsWalk(kind, codeptr_ra))
    return false;
  ThreadLocks::Held* held = FreePlaceFor(thread, wait_id);
  if (held == nullptr) return false;
  // Does as much as possible before the thread has the lock.
  held->codeptr_ra = codeptr_ra;
  if (!lock_table.AcquireHot(wait_id, slot, LockNow(thread), &held->quick)) return false;
  if (held->quick.quick) {
    thread->locks.quick_place = held;
  } else {
    thread->locks.ticket = held->quick;
    held->quick.slot = 0;
  }
  return true;
}

}  // namespace

namespace {

// Whether a window is open for an acquisition that begins now. Sets `since_ns`.
//
// A look at the clock takes longer than all else that is done here. A thread that takes one lock again and again looks
// now and then: otherwise its events would take much longer in a window, or while a window is planned, and the program
// would not be the same then.
inline bool LookForWindow(ThreadLocks* locks, uint64_t wait_id) {
  constexpr uint64_t kOftenNs = 400;
  constexpr uint16_t kWithoutLook = 15;
  ThreadLocks::Look& look = locks->look;
  const uint32_t stamp = window_clock.stamp();
  const bool again = look.wait_id == wait_id && look.stamp == stamp;
  if (again && look.often && look.since < kWithoutLook) {
    ++look.since;
    locks->since_ns = 0;
    return look.in_window;
  }
  const WindowClock::Moment now = window_clock.Read();
  locks->since_ns = now.ns;
  if (now.real_ns == 0) return false;
  const bool often = again && now.real_ns < look.real_ns + (look.since + 1u) * kOftenNs;
  look = {wait_id, now.real_ns, stamp, 0, now.InWindow(), often};
  return look.in_window;
}

// Counts an acquisition while waits for locks are estimated. False: no window is open, so the table is left alone.
inline bool WantedInWindow(ThreadState* thread, uint64_t wait_id) {
  ThreadLocks::Acquisitions& of_lock = thread->locks.AcquisitionsOf(wait_id);
  Add(&of_lock.all, 1);
  if (!LookForWindow(&thread->locks, wait_id)) return false;
  Add(&of_lock.found, 1);
  Add(&of_lock.stands_for, window_clock.Weight());
  return true;
}

}  // namespace

void LockWanted(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra) {
  // The runtime may not have reported an end of the previous wait.
  if (thread->locks.quick_place != nullptr || thread->locks.ticket.slot != 0 || thread->locks.ticket.unmeasured)
    LockGivenUp(thread);
  thread->locks.codeptr_ra = codeptr_ra;
  if (governor.Estimates(Governed::kLocks) && !WantedInWindow(thread, wait_id)) {
    thread->locks.ticket.unmeasured = true;
    thread->waiting.costs.Unobserved(fields::kClassLock, 3);  // up to its release
    return;
  }
  if (WantedHot(thread, kind, wait_id, codeptr_ra)) return;
  if (kind != ompt_mutex_ordered && lock_table.AcquireAlone(wait_id, &thread->locks.ticket)) {
    if (thread->locks.ticket.unmeasured) Unmeasured();
    return;
  }
  const uint64_t now = LockNow(thread);
  thread->locks.ticket = lock_table.Acquire(wait_id, now);
  if (thread->locks.ticket.unmeasured) return Unmeasured();
  // Where waits for locks are short, the team's line is better left alone. The thread then continues to count as
  // working.
  if (!thread->locks.ticket.contended) return;
  if (thread->locks.likely_wait_ns < kShortLockWaitNs) {
    ThreadLocks::Held* held =
        thread->locks.ticket.quick && !WantsWalk(kind, codeptr_ra) ? FreePlaceFor(thread, wait_id) : nullptr;
    if (held == nullptr) return;
    *held = {/*wait_id=*/0, codeptr_ra, /*slot=*/0, /*turn=*/0, /*since_ns=*/0, thread->locks.ticket};
    thread->locks.ticket.slot = 0;
    thread->locks.quick_place = held;
    return;
  }
  OpenTask* task = CurrentTask(thread);
  RegionRecord* region = task != nullptr && Works(task->membership.participation) ? LiveRegion(task->region) : nullptr;
  if (region == nullptr) return;
  const OwnFloatingPoint floating_point;
  thread->locks.region = task->region;
  thread->locks.participation_before = task->membership.participation;
  ChangeParticipation(thread, task, region, Participation::kQueueing, now);
  SettleSleep(thread, OmptState::kWorkParallel);
}

void LockGivenUp(ThreadState* thread) {
  if (thread->locks.quick_place != nullptr) NoLongerQuick(thread);
  thread->locks.ticket.unmeasured = false;
  if (thread->locks.ticket.slot == 0) return;
  lock_table.GiveUp(thread->locks.ticket);
  thread->locks.ticket = {};
  if (thread->locks.region != 0) StopQueueing(thread, LockNow(thread));
}

void LockTested(ThreadState* thread, uint64_t codeptr_ra) {
  LockGivenUp(thread);
  thread->locks.codeptr_ra = codeptr_ra;
}

namespace {

// All the work that is done while a contended lock is held. False: the wait was not short.
bool TakenQuickly(ThreadState* thread, uint64_t wait_id, uint64_t now_ns) {
  ThreadLocks::Held* held = thread->locks.quick_place;
  const uint64_t since = held->quick.since_ns;
  if (now_ns >= since + kShortLockWaitNs) return false;
  thread->locks.quick_place = nullptr;
  held->wait_id = wait_id;
  held->since_ns = now_ns > since ? now_ns : since;
  return true;
}

// Of the window clock, as a whole number.
uint64_t WindowSpeed() { return static_cast<uint64_t>(window_clock.Speed() + 0.5); }

// Counts an estimated wait, or a charge, that ends now. Those that end in windows stand for the others. If none ends in
// a window, the first counts anyway.
void CountEstimated(WaitCounts* counts, const WindowClock::Moment& now) {
  if ((now.number & 1) != 0)
    CountInWindow(counts, window_clock.Weight());
  else if (counts->count.load(std::memory_order_relaxed) == 0 &&
           counts->windows_count.load(std::memory_order_relaxed) == 0)
    Add(&counts->count, 1);
}

// `since_ns`: the wait's begin.
void AddLockWait(ThreadState* thread, WaitCounts* counts, uint64_t since_ns, uint64_t ns, uint64_t path_ns) {
  if (counts == nullptr) return;
  if (!governor.Estimates(Governed::kLocks)) {
    AddLength(thread, counts, ns, 1);
    return AddWait(counts, ns, path_ns);
  }
  const OwnFloatingPoint floating_point;
  const WindowClock::Moment now = window_clock.Read();
  Add(&counts->total_ns, ns);
  Add(&counts->path_ns, path_ns);
  CountEstimated(counts, now);
  AddEstimate(counts, ns, now.number);
  // The window clock makes the wait look longer than it was.
  const auto longest = static_cast<uint64_t>(static_cast<double>(ns) / window_clock.Speed());
  if (longest > counts->max_ns.load(std::memory_order_relaxed))
    counts->max_ns.store(longest, std::memory_order_relaxed);
  // The length of a wait that began before the window is not known.
  if ((now.number & 1) != 0 && since_ns > window_clock.last_end_ns()) AddLength(thread, counts, longest, WindowSpeed());
}

// Notes that the thread holds the lock. NULL if it holds too many locks.
inline ThreadLocks::Held* NoteHeld(ThreadState* thread, uint64_t wait_id, uint32_t slot, bool unmeasured) {
  ThreadLocks::Held* own = PlaceOf(thread, wait_id);
  if (own == nullptr) return nullptr;
  // Member by member: the ticket has more members than are needed.
  own->wait_id = wait_id;
  own->codeptr_ra = thread->locks.codeptr_ra;
  own->slot = slot;
  own->turn = 0;
  own->since_ns = 0;
  own->quick.slot = 0;
  own->quick.unmeasured = unmeasured;
  return own;
}

// Separate from LockTaken, because this function saves registers. `in_the_way`: AcquiredAlone has reported another
// thread.
__attribute__((noinline)) void TakenOtherwise(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id,
                                              bool in_the_way) {
  if (thread->locks.quick_place != nullptr) {
    if (TakenQuickly(thread, wait_id, LockNow(thread))) return;
    NoLongerQuick(thread);
  }
  LockTable::Ticket ticket = thread->locks.ticket;
  thread->locks.since_ns = 0;
  thread->locks.ticket.slot = 0;
  thread->locks.ticket.unmeasured = false;
  // A successful test, which waits for nothing.
  const bool tested = ticket.slot == 0 && !ticket.unmeasured;
  if (tested && !lock_table.AcquireAlone(wait_id, &ticket)) ticket = lock_table.Acquire(wait_id, LockNow(thread));
  const bool alone = !in_the_way && lock_table.AcquiredAlone(ticket);
  ThreadLocks::Held* own = NoteHeld(thread, wait_id, ticket.slot, ticket.unmeasured);
  if (alone) return;
  const uint64_t now = tested ? ticket.since_ns : LockNow(thread);
  uint32_t turn = 0;
  const uint64_t waited = lock_table.Acquired(ticket, now, &turn);
  if (own != nullptr) own->turn = turn, own->since_ns = now;
  StopQueueing(thread, now);
  ExpectWait(thread, waited);
  if (waited == 0) return;
  ExpectCompany(thread, wait_id, ticket.slot, true);
  thread->waiting.waited_ns += waited;
  if (!Collecting()) return;
  const OmptState state = MutexWaitState(kind);
  if (WantsWalk(kind, thread->locks.codeptr_ra)) {
    if (const uint64_t caller = CallerHere(thread)) thread->locks.codeptr_ra = caller;
    if (own != nullptr) own->codeptr_ra = thread->locks.codeptr_ra;
  }
  if (!governor.Estimates(Governed::kLocks)) WaitedFrom(thread, state, now - waited, now, wait_id);
  uint64_t path_ns = 0;
  if (waited >= PathThresholdNs() &&
      PushRow(thread, kWaited, state, wait_id, waited, governor.Estimates(Governed::kLocks)))
    path_ns = waited;
  AddLockWait(thread, CountsOf(thread, KeyOf(state, RegionHere(thread), wait_id, thread->locks.codeptr_ra, 0)),
              now - waited, waited, path_ns);
}

}  // namespace

namespace {

// A wait that began while no window was open, and that overlaps a window.
__attribute__((noinline)) void AddUnmeasured(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id,
                                             uint64_t since_ns, uint64_t ns) {
  thread->waiting.waited_ns += ns;
  // The table does not know who held the lock.
  Add(&thread->locks.handoff_ns, ns);
  if (!Collecting()) return;
  const OmptState state = MutexWaitState(kind);
  if (WantsWalk(kind, thread->locks.codeptr_ra)) {
    if (const uint64_t caller = CallerHere(thread)) thread->locks.codeptr_ra = caller;
  }
  uint64_t path_ns = 0;
  if (ns >= PathThresholdNs() && PushRow(thread, kWaited, state, wait_id, ns, /*estimated=*/true)) path_ns = ns;
  AddLockWait(thread, CountsOf(thread, KeyOf(state, RegionHere(thread), wait_id, thread->locks.codeptr_ra, 0)),
              since_ns, ns, path_ns);
}

}  // namespace

namespace {

// A thread came in a window, and the table saw nobody in its way. The table does not know a holder from before the
// window.
__attribute__((noinline)) void AddWaitForUnknown(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id) {
  const OwnFloatingPoint floating_point;
  // The longest time to take a free lock. A thread that has just had the lock hardly meets such a holder: its time is
  // more likely an interrupt's.
  constexpr double kAtOnceNs = 200, kInterruptedNs = 5000;
  const double longest = thread->locks.look.often ? kInterruptedNs : kAtOnceNs;
  const uint64_t since = thread->locks.since_ns;
  const uint64_t now = window_clock.Now();
  thread->locks.since_ns = 0;
  if (now > since && static_cast<double>(now - since) > longest * window_clock.Speed())
    AddUnmeasured(thread, kind, wait_id, since, now - since);
}

}  // namespace

void LockTaken(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id) {
  bool in_the_way = false;
  if (thread->locks.ticket.unmeasured && thread->locks.quick_place == nullptr) {
    thread->locks.ticket.unmeasured = false;
    if (thread->locks.since_ns != 0) {
      const uint64_t now = window_clock.Now();
      if (__builtin_expect(now > thread->locks.since_ns, false))
        AddUnmeasured(thread, kind, wait_id, thread->locks.since_ns, now - thread->locks.since_ns);
      thread->locks.since_ns = 0;
    }
    NoteHeld(thread, wait_id, 0, /*unmeasured=*/true);
    return;
  }
  if (thread->locks.quick_place != nullptr) {
    const uint64_t now = governor.Estimates(Governed::kLocks) ? window_clock.Now() : tick_clock.At(ReadTicks());
    if (now != 0 && TakenQuickly(thread, wait_id, now)) return;
  } else if (const uint32_t slot = thread->locks.ticket.slot; slot != 0 && thread->locks.ticket.alone) {
    if (lock_table.AcquiredAlone(thread->locks.ticket)) {
      thread->locks.ticket.slot = 0;
      if (__builtin_expect(thread->locks.since_ns != 0, false)) AddWaitForUnknown(thread, kind, wait_id);
      NoteHeld(thread, wait_id, slot, /*unmeasured=*/false);
      return;
    }
    in_the_way = true;
  }
  TakenOtherwise(thread, kind, wait_id, in_the_way);
}

namespace {

// Adds the other threads' waiting for the holder to the holder's totals, and with its call path to the profile.
void AddCharge(ThreadState* thread, WaitCounts* counts, uint64_t charge, uint64_t since_ns, uint64_t now_ns,
               OmptState working) {
  if (counts == nullptr) return;
  Add(&counts->total_ns, charge);
  const bool estimated = governor.Estimates(Governed::kLocks);
  uint64_t longest = charge, held_ns = now_ns - since_ns;
  bool is_whole = since_ns != 0;
  if (estimated) {
    const OwnFloatingPoint floating_point;
    const WindowClock::Moment now = window_clock.Read();
    AddEstimate(counts, charge, now.number);
    CountEstimated(counts, now);
    // The window clock makes times look longer than they were.
    longest = static_cast<uint64_t>(static_cast<double>(longest) / window_clock.Speed());
    held_ns = static_cast<uint64_t>(static_cast<double>(held_ns) / window_clock.Speed());
    // A lock that was taken before the window was held for longer than the clock shows.
    is_whole = since_ns > window_clock.last_end_ns() && (now.number & 1) != 0;
  }
  if (longest > counts->max_ns.load(std::memory_order_relaxed))
    counts->max_ns.store(longest, std::memory_order_relaxed);
  if (is_whole) {
    Add(&counts->held_count, 1);
    Add(&counts->held_ns, held_ns);
  }
  counts->pending_ns += charge;
  if (counts->pending_ns >= PathThresholdNs() &&
      PushRow(thread, kLockBlamed, working, counts->key.wait_id, counts->pending_ns, estimated)) {
    Add(&counts->path_ns, counts->pending_ns);
    counts->pending_ns = 0;
  }
  if (!estimated) Add(&counts->count, 1);
}

// Reports an acquisition that TakenQuickly noted, and its release.
void ReleasedQuickly(ThreadState* thread, OmptState state, ThreadLocks::Held* held, uint64_t codeptr_ra) {
  uint64_t now = LockNow(thread);
  const uint64_t wait_id = held->wait_id, since = held->since_ns;
  if (now < since) now = since;
  uint64_t handoff = 0;
  const LockTable::Charge charge = lock_table.QuickRelease(held->quick, since, now, &handoff);
  Add(&thread->locks.handoff_ns, handoff);
  held->wait_id = 0;
  ExpectCompany(thread, wait_id, held->quick.slot, charge.waited || charge.ns != 0);
  const uint64_t waited = charge.waited ? since - held->quick.since_ns : 0;
  ExpectWait(thread, waited);
  thread->waiting.waited_ns += waited;
  const RegionRecord* region = RegionHere(thread);
  SettleLongSleep(thread, WorkState(region));
  if (!Collecting()) return;
  ThreadLocks::Hot& hot = HotLockOf(thread, wait_id);
  WaitKey key = KeyOf(state, region, wait_id, held->codeptr_ra, 0);
  if (waited != 0) AddLockWait(thread, CountsOf(thread, key, &hot.waits), held->quick.since_ns, waited, 0);
  if (charge.ns == 0) return;
  const ChargedPlaces places = PlacesOf(thread, held->codeptr_ra, codeptr_ra);
  key.acquired_at = places.acquired_at;
  key.codeptr_ra = places.released_at;
  AddCharge(thread, CountsOf(thread, key, &hot.charges), charge.ns, since, now, WorkState(region));
}

}  // namespace

namespace {

// The table does not know this acquisition. Contenders that have come since a window opened saw nobody at the lock.
inline void ReleasedUnmeasured(ThreadState* thread, OmptState state, const ThreadLocks::Held& held, uint64_t wait_id,
                               uint64_t codeptr_ra) {
  if (__builtin_expect(window_clock.IsStill(), true)) return;
  const ThreadLocks::Look& look = thread->locks.look;
  if (look.often && look.wait_id == wait_id && look.since != 0) return;
  const uint64_t now = LockNow(thread);
  const uint64_t charge = lock_table.ChargeWaiting(wait_id, now);
  if (charge == 0 || !Collecting()) return;
  const RegionRecord* region = RegionHere(thread);
  const ChargedPlaces places = PlacesOf(thread, held.codeptr_ra, codeptr_ra);
  WaitCounts* counts = CountsOf(thread, KeyOf(state, region, wait_id, places.released_at, places.acquired_at));
  AddCharge(thread, counts, charge, 0, now, WorkState(region));
}

}  // namespace

void LockReleased(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra) {
  const OmptState state = MutexWaitState(kind);
  ThreadLocks::Held here{};
  for (auto& held : thread->locks.held) {
    if (held.wait_id != wait_id) continue;
    if (held.quick.slot != 0) return ReleasedQuickly(thread, state, &held, codeptr_ra);
    here = held;
    held.wait_id = 0;
    if (here.quick.unmeasured) return ReleasedUnmeasured(thread, state, here, wait_id, codeptr_ra);
    break;
  }
  if (lock_table.ReleaseAlone(wait_id, here.slot)) return;
  const uint64_t now = LockNow(thread);
  const uint64_t charge = lock_table.Release(wait_id, now, here.turn);
  if (charge != 0 && here.slot != 0) ExpectCompany(thread, wait_id, here.slot, true);
  const RegionRecord* region = RegionHere(thread);
  SettleLongSleep(thread, WorkState(region));
  if (charge == 0 || !Collecting()) return;
  const ChargedPlaces places = PlacesOf(thread, here.codeptr_ra, codeptr_ra);
  WaitCounts* counts = CountsOf(thread, KeyOf(state, region, wait_id, places.released_at, places.acquired_at));
  AddCharge(thread, counts, charge, here.since_ns, now, WorkState(region));
}

}  // namespace ompprof::collect

#include "profiler/collect/ompt/lock_waits.h"

#include "profiler/collect/ompt/debt.h"
#include "profiler/collect/ompt/lock_origins.h"
#include "profiler/collect/ompt/path_here.h"
#include "profiler/collect/ompt/wait_intervals.h"
#include "profiler/collect/ompt/wait_rows.h"
#include "profiler/collect/ompt/wait_state.h"

namespace ompprof::collect {
namespace {

// A thread whose last waits for locks were shorter than this expects the next one to be.
constexpr uint64_t kShortLockWaitNs = 20000;

// A place in the runtime itself: see CallerHere.
bool IsRuntimes(uint64_t codeptr_ra) { return session.runtime_code.Find(codeptr_ra) != nullptr; }
bool IsRuntimes(ompt_mutex_t kind, uint64_t codeptr_ra) {
  return kind == ompt_mutex_critical && IsRuntimes(codeptr_ra);
}

// What the thread waited for the lock goes into its totals.
void AddLockWait(ThreadState* thread, uint32_t state, uint64_t codeptr_ra, uint64_t wait_id, uint64_t waited_ns,
                 uint64_t path_ns) {
  const OpenTask* task = CurrentTask(thread);
  const RegionRecord* region = task != nullptr ? LiveRegion(task->region) : nullptr;
  AddWait(
      thread,
      {state, Epoch(), codeptr_ra, region != nullptr ? region->codeptr_ra : 0, wait_id, 0, lock_origins.Find(wait_id)},
      waited_ns, path_ns);
}

// A thread that has met others at a lock expects them at this many acquisitions more.
constexpr uint32_t kHotAcquisitions = 16;

ThreadState::HotLock& HotLockOf(ThreadState* thread, uint64_t wait_id) {
  return thread->hot_locks[LockTable::Hash(wait_id) % ThreadState::kHotLocks];
}

// Its slot if the thread expects others at the lock, else 0.
uint32_t HotSlot(ThreadState* thread, uint64_t wait_id) {
  const ThreadState::HotLock& hot = HotLockOf(thread, wait_id);
  return hot.wait_id == wait_id && hot.acquisitions != 0 ? hot.slot : 0;
}

// The thread has had the lock.
void ExpectCompany(ThreadState* thread, uint64_t wait_id, uint32_t slot, bool met) {
  ThreadState::HotLock& hot = HotLockOf(thread, wait_id);
  if (met)
    hot = {wait_id, slot, kHotAcquisitions};
  else if (hot.wait_id == wait_id && hot.acquisitions > 0)
    --hot.acquisitions;
}

void ExpectWait(ThreadState* thread, uint64_t waited_ns) {
  thread->lock_wait_ns -= thread->lock_wait_ns / 8;
  if (waited_ns > thread->lock_wait_ns) thread->lock_wait_ns = waited_ns;
}

// The thread waits for no lock any more.
void StopQueueing(ThreadState* thread, uint64_t now_ns) {
  if (thread->lock_region == 0) return;
  RegionRecord* region = LiveRegion(thread->lock_region);
  OpenTask* task = CurrentTask(thread);
  if (region != nullptr && task != nullptr && task->standing.doing == Doing::kQueueing)
    Change(thread, task, region, thread->lock_doing, now_ns);
  thread->lock_region = 0;
}

}  // namespace

void LockWanted(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra) {
  LockGivenUp(thread);  // if nothing more was heard of the wait before
  thread->lock_codeptr_ra = codeptr_ra;
  const uint32_t hot_slot = kind != ompt_mutex_ordered ? HotSlot(thread, wait_id) : 0;
  if (hot_slot == 0 && kind != ompt_mutex_ordered && lock_table.AcquireAlone(wait_id, &thread->ticket)) return;
  const uint64_t now = NowFor(thread);
  thread->ticket = lock_table.Acquire(wait_id, now, hot_slot);
  // Where locks are waited for a moment only, the team's line is better left alone: the thread goes on counting as one
  // that works.
  if (!thread->ticket.contended || thread->lock_wait_ns < kShortLockWaitNs) return;
  OpenTask* task = CurrentTask(thread);
  RegionRecord* region = task != nullptr && Works(task->standing.doing) ? LiveRegion(task->region) : nullptr;
  if (region == nullptr) return;
  thread->lock_region = task->region;
  thread->lock_doing = task->standing.doing;
  Change(thread, task, region, Doing::kQueueing, now);
  SettleSleep(thread, ompt_state_work_parallel);
}

void LockGivenUp(ThreadState* thread) {
  if (thread->ticket.slot == 0) return;
  lock_table.GiveUp(thread->ticket);
  thread->ticket = {};
  if (thread->lock_region != 0) StopQueueing(thread, NowFor(thread));
}

void LockTested(ThreadState* thread, uint64_t codeptr_ra) {
  LockGivenUp(thread);
  thread->lock_codeptr_ra = codeptr_ra;
}

namespace {

// Where to note that the thread holds the lock, NULL if it holds too many.
ThreadState::HeldLock* PlaceOf(ThreadState* thread, uint64_t wait_id) {
  for (auto& held : thread->held) {
    // The same: another thread has released it.
    if (held.wait_id == 0 || held.wait_id == wait_id) return &held;
  }
  return nullptr;
}

// All that is done while a lock is held that others are after. False: it is none, or the wait was none of a moment.
bool TakenQuickly(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id) {
  const uint64_t since = thread->ticket.since_ns;
  if (thread->lock_region != 0 || IsRuntimes(kind, thread->lock_codeptr_ra)) return false;
  const uint64_t now = NowFor(thread);
  ThreadState::HeldLock* own = PlaceOf(thread, wait_id);
  if (now >= since + kShortLockWaitNs || own == nullptr) return false;
  own->wait_id = wait_id;
  own->codeptr_ra = thread->lock_codeptr_ra;
  own->since_ns = now > since ? now : since;
  own->quick = thread->ticket;
  thread->ticket.slot = 0;
  return true;
}

}  // namespace

void LockTaken(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id) {
  if (thread->ticket.slot != 0 && thread->ticket.quick && TakenQuickly(thread, kind, wait_id)) return;
  LockTable::Ticket ticket = thread->ticket;
  thread->ticket.slot = 0;
  // A test that succeeded, which waits for nothing.
  const bool tested = ticket.slot == 0;
  if (tested && !lock_table.AcquireAlone(wait_id, &ticket)) ticket = lock_table.Acquire(wait_id, NowFor(thread));
  const bool alone = lock_table.AcquiredAlone(ticket);
  ThreadState::HeldLock* own = PlaceOf(thread, wait_id);
  if (own != nullptr) *own = {wait_id, thread->lock_codeptr_ra, ticket.slot, 0, 0, {}};
  if (alone) return;
  const uint64_t now = tested ? ticket.since_ns : NowFor(thread);
  uint32_t turn = 0;
  const uint64_t waited = lock_table.Acquired(ticket, now, &turn);
  if (own != nullptr) own->turn = turn, own->since_ns = now;
  StopQueueing(thread, now);
  ExpectWait(thread, waited);
  if (waited == 0) return;
  ExpectCompany(thread, wait_id, ticket.slot, true);
  thread->waited_ns += waited;
  if (!Collecting()) return;
  const auto state = static_cast<uint32_t>(MutexWaitState(kind));
  if (IsRuntimes(kind, thread->lock_codeptr_ra)) {
    if (const uint64_t caller = CallerHere(thread)) thread->lock_codeptr_ra = caller;
    if (own != nullptr) own->codeptr_ra = thread->lock_codeptr_ra;
  }
  WaitedFrom(thread, state, now - waited, now, wait_id);
  uint64_t path_ns = 0;
  if (waited >= PathThresholdNs() && PushRow(thread, kWaited, state, wait_id, waited)) path_ns = waited;
  AddLockWait(thread, state, thread->lock_codeptr_ra, wait_id, waited, path_ns);
}

void LockReleased(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra) {
  uint64_t acquired_at = 0;
  uint32_t slot = 0;
  uint32_t turn = 0;
  uint64_t since = 0;
  LockTable::Ticket quick{};
  for (auto& held : thread->held) {
    if (held.wait_id != wait_id) continue;
    acquired_at = held.codeptr_ra;
    slot = held.slot;
    turn = held.turn;
    since = held.since_ns;
    quick = held.quick;
    held.wait_id = 0;
    break;
  }
  const auto state = static_cast<uint32_t>(MutexWaitState(kind));
  const bool is_quick = quick.slot != 0;
  if (!is_quick && lock_table.ReleaseAlone(wait_id, slot)) return;
  const uint64_t now = NowFor(thread);
  uint64_t charge = 0;
  bool waited = false;
  if (is_quick) {
    ExpectWait(thread, since - quick.since_ns);
    const LockTable::Charge told = lock_table.QuickRelease(quick, since, now, thread->id);
    charge = told.ns;
    waited = told.waited;
    ExpectCompany(thread, wait_id, quick.slot, waited || charge != 0);
  } else {
    charge = lock_table.Release(wait_id, now, turn);
    if (charge != 0 && slot != 0) ExpectCompany(thread, wait_id, slot, true);
  }
  if (waited && since != quick.since_ns) {
    thread->waited_ns += since - quick.since_ns;
    if (Collecting()) AddLockWait(thread, state, acquired_at, wait_id, since - quick.since_ns, 0);
  }
  const OpenTask* task = CurrentTask(thread);
  RegionRecord* region = task != nullptr ? LiveRegion(task->region) : nullptr;
  // The path here is the holder's work, and no wait.
  const uint32_t working = region != nullptr ? ompt_state_work_parallel : ompt_state_work_serial;
  SettleLongSleep(thread, working, now);
  if (charge == 0 || !Collecting()) return;
  if (acquired_at == 0 || IsRuntimes(acquired_at)) acquired_at = codeptr_ra;
  WaitCounts* counts = CountsOf(thread, {state, Epoch(), codeptr_ra, region != nullptr ? region->codeptr_ra : 0,
                                         wait_id, acquired_at, lock_origins.Find(wait_id)});
  if (counts == nullptr) return;
  Add(&counts->total_ns, charge);
  if (charge > counts->max_ns.load(std::memory_order_relaxed)) counts->max_ns.store(charge, std::memory_order_relaxed);
  if (since != 0) {
    Add(&counts->held_count, 1);
    Add(&counts->held_ns, now - since);
  }
  counts->pending_ns += charge;
  if (counts->pending_ns >= PathThresholdNs() && PushRow(thread, kLockBlamed, working, wait_id, counts->pending_ns)) {
    Add(&counts->path_ns, counts->pending_ns);
    counts->pending_ns = 0;
  }
  Add(&counts->count, 1);
}

}  // namespace ompprof::collect

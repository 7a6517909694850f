#include "profiler/collect/blame/waits.h"

#include "profiler/collect/blame/debt.h"
#include "profiler/collect/blame/device_debt.h"
#include "profiler/collect/blame/governor.h"
#include "profiler/collect/blame/outside_regions.h"
#include "profiler/collect/blame/region_waits.h"
#include "profiler/collect/blame/wait_intervals.h"
#include "profiler/collect/blame/wait_rows.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {

OutsideRegions outside_regions;

void RootBegins(ThreadState* thread) {
  if (thread->blame.is_root || !WithWaits()) return;
  const uint64_t now = NowFor(thread);
  outside_regions.clock.Lock();
  outside_regions.clock.Advance(now, 0);
  outside_regions.clock.Add(Participation::kWorking, 1);
  const double debt = outside_regions.clock.Now(0).working.debt;
  outside_regions.clock.Unlock();
  const BlameScope scope(thread);
  thread->blame.is_root = true;
  thread->blame.root_debt_read = debt;
  thread->blame.until_ns = thread->blame.stretch_since_ns = now;
}

void RootEnds(ThreadState* thread) {
  if (!thread->blame.is_root) return;
  const uint64_t now = NowFor(thread);
  const BlameScope scope(thread);
  thread->blame.is_root = false;
  outside_regions.clock.Lock();
  outside_regions.clock.Advance(now, 0);
  outside_regions.clock.Add(Participation::kWorking, -1);
  const double debt = outside_regions.clock.Now(0).working.debt;
  outside_regions.clock.Unlock();
  if (thread->blame.root_debt_read >= 0) AddDebt(thread, thread->blame.root_debt_read, debt, now);
  thread->blame.root_debt_read = -1;
  thread->blame.until_ns = 0;
}

namespace {

// Ends the thread's open waits now. True if the thread is a worker without a region.
bool EndOpenWaits(ThreadState* thread, uint64_t now_ns, bool counted) {
  uint64_t idle_since = thread->waiting.idle_since_ns;
  thread->waiting.idle_since_ns = 0;
  const OpenWait* wait = thread->waiting.stack.Innermost();
  const OpenTask* task = CurrentTask(thread);
  if (idle_since == 0 && task != nullptr && task->thread_num != 0) {
    // The thread is idle from its region's end on, also while parallel_end is still running. If the region ended long
    // ago, its end is unknown, as in ImplicitTaskEnds.
    idle_since = EndOf(task->region);
    if (idle_since == 0 && LiveRegion(task->region) == nullptr)
      idle_since = task->arrived_ns != 0 ? task->arrived_ns : now_ns;
  }
  if (counted && wait != nullptr && wait->state != OmptState::kNone && wait->since_ns != 0) {
    uint64_t end = wait->at_end && idle_since != 0 ? idle_since : now_ns;
    const WindowClock::Moment window = window_clock.Read();
    if (wait->estimated && end > window.ns) end = window.ns;
    WaitCounts* counts = CountsOf(thread, {wait->state, Epoch(), wait->codeptr_ra, wait->region_codeptr_ra, 0, 0});
    if (end > wait->since_ns) AddWait(counts, wait->waited_ns + end - wait->since_ns, 0);
    if (end > wait->since_ns && wait->estimated && counts != nullptr)
      AddEstimate(counts, wait->waited_ns + end - wait->since_ns, window.number,
                  (window.number + 1) / 2 - wait->windows);
    if (!wait->estimated) CutInterval(thread, wait->state, wait->since_ns, end, wait->at_end ? wait->region : 0);
  }
  if (counted) CutInterval(thread, OmptState::kIdle, idle_since, now_ns);
  if (counted && idle_since != 0 && now_ns > idle_since)
    AddWait(thread, {OmptState::kIdle, Epoch(), 0, 0, 0, 0}, now_ns - idle_since, 0);
  return idle_since != 0;
}

// Charges a working thread up to now, so that its whole debt is due. False if the thread does not work, or its debt is
// unknown.
bool ChargeRest(ThreadState* thread, uint64_t now_ns) {
  OpenTask* task = CurrentTask(thread);
  double* debt_read = task != nullptr ? &task->debt_read : &thread->blame.root_debt_read;
  BlameClock::Charge charge;
  if (thread->blame.until_ns == 0 || *debt_read < 0 || !IsKnown(task) ||
      !ReadCharge(task != nullptr ? task->region : 0,
                  task != nullptr ? task->membership.participation : Participation::kWorking, now_ns, kTries, &charge))
    return false;
  const BlameScope scope(thread);
  if (charge.debt > *debt_read) thread->blame.due_ns += charge.debt - *debt_read;
  if (now_ns > thread->blame.until_ns) thread->blame.worked_ns += now_ns - thread->blame.until_ns;
  *debt_read = -1;
  return true;
}

}  // namespace

void EndWaits(ThreadState* thread, uint64_t now_ns) {
  if (!WithWaits()) {
    thread->tasks.depth = 0;
    return;
  }
  const OpenTask* task = CurrentTask(thread);
  // The thread ends inside a region, and so does the program.
  if (Collecting() && task != nullptr && ChargeRest(thread, now_ns)) SettleAtEnd(thread, task->region);
  outside_regions.pending_ns.fetch_add(static_cast<uint64_t>(thread->blame.due_ns), std::memory_order_relaxed);
  thread->blame.due_ns = 0;
  lock_table.AddHandoff(thread->locks.handoff_ns.exchange(0, std::memory_order_relaxed));
  const bool collecting = Collecting() || session.closing.load(std::memory_order_relaxed);
  const bool counted = collecting && !thread->waiting.ended.exchange(true);
  const bool departed = task != nullptr && task->thread_num != 0 && Departs(*task, now_ns);
  if (EndOpenWaits(thread, now_ns, counted) && !departed) outside_regions.AddIdle(-1, now_ns);
  thread->tasks.depth = 0;
  thread->waiting.stack.CutTo(0);
}

void EndWaitsWithProfile(ThreadState* thread, uint64_t now_ns) {
  if (!WithWaits()) return;
  if (outside_regions.cut_ns.load(std::memory_order_relaxed) == 0)
    outside_regions.cut_ns.store(now_ns, std::memory_order_relaxed);
  if (thread->waiting.ended.exchange(true)) return;
  EndOpenWaits(thread, now_ns, true);
  // No sample comes after this. Debt that is not charged now stays in the footer, also the debt of other threads.
  if (!ChargeRest(thread, now_ns) || thread != this_thread) return;
  const OpenTask* task = CurrentTask(thread);
  SettleAtEnd(thread, task != nullptr ? task->region : 0);
}

void EndOwnWaitsWithProfile(ThreadState* thread) {
  if (session.closing.load(std::memory_order_relaxed) && !thread->waiting.ended.exchange(true))
    EndOpenWaits(thread, NowFor(thread), true);
}

void CollectingBegins(uint64_t now_ns) { outside_regions.collecting_from_ns.store(now_ns, std::memory_order_relaxed); }

void ForgetWaits() {
  governor.Forget();
  window_clock.Forget();
  window_waited_ns.store(0, std::memory_order_relaxed);
  serial_tasks.Forget();
  outside_regions.clock.sequence.store(
      0,
      std::memory_order_relaxed);  // a thread that the child does not have may hold the lock
  outside_regions.clock.Reset(0, 0);
  outside_regions.parallel = 0;
  outside_regions.parallel_ns.store(0, std::memory_order_relaxed);
  outside_regions.pending_ns.store(0, std::memory_order_relaxed);
  outside_regions.cut_ns.store(0, std::memory_order_relaxed);
}

WaitTotals TotalsOfWaits(uint64_t begin_ns, uint64_t now_ns) {
  if (!WithWaits()) return {};
  // Threads are idle up to the cut, as in their own totals: the footer may be written much later.
  const uint64_t cut = outside_regions.cut_ns.load(std::memory_order_relaxed);
  outside_regions.clock.Lock();
  outside_regions.clock.Advance(cut != 0 && cut < now_ns ? cut : now_ns, 0);
  const BlameClock::Totals sums = outside_regions.clock.Sums();
  uint64_t parallel = outside_regions.parallel_ns.load(std::memory_order_relaxed);
  if (outside_regions.parallel > 0 && now_ns > outside_regions.parallel_since_ns)
    parallel += now_ns - outside_regions.parallel_since_ns;
  outside_regions.clock.Unlock();
  const uint64_t all = now_ns > begin_ns ? now_ns - begin_ns : 0;
  return {parallel, all > parallel ? all - parallel : 0, sums.waited_ns, sums.unblamed_ns,
          outside_regions.pending_ns.load(std::memory_order_relaxed)};
}

}  // namespace ompprof::collect

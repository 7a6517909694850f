#include "profiler/collect/ompt/sync_waits.h"

#include "profiler/collect/ompt/debt.h"
#include "profiler/collect/ompt/path_here.h"
#include "profiler/collect/ompt/wait_intervals.h"
#include "profiler/collect/ompt/wait_rows.h"
#include "profiler/collect/ompt/wait_state.h"
#include "profiler/collect/ompt/waits.h"

namespace ompprof::collect {
namespace {

bool IsBarrier(uint32_t state) {
  return state >= ompt_state_wait_barrier_implicit_parallel - 1 && state < ompt_state_wait_taskwait;
}

bool IsTaskWait(uint32_t state) { return state == ompt_state_wait_taskwait || state == ompt_state_wait_taskgroup; }
Doing DoingIn(const OpenWait& wait) {
  if (wait.state == 0) return Doing::kExecutingTask;
  return IsTaskWait(wait.state) ? Doing::kWaitingForTask : Doing::kWaiting;
}

uint32_t Depth(const ThreadState& thread) { return static_cast<uint32_t>(thread.wait_depth); }

uint64_t UsefulSince(const ThreadState& thread, const OpenTask& task, uint64_t now_ns) {
  const uint64_t inside = now_ns > task.begin_ns ? now_ns - task.begin_ns : 0;
  const uint64_t waited = thread.waited_ns - task.waited_before_ns;
  return inside > waited ? inside - waited : 0;
}

// The thread stops working at `now`: for its team, and if this is the region's end for the region's sums.
void StopWorking(ThreadState* thread, OpenWait* wait, uint64_t now_ns, Team::Arrival* arrival) {
  wait->since_ns = now_ns;
  RegionRecord* region = LiveRegion(wait->region);
  OpenTask* task = CurrentTask(thread);
  if (region == nullptr || task == nullptr || task->region != wait->region) return;
  Change(thread, task, region, DoingIn(*wait), now_ns, arrival);
  SettleSleep(thread, ompt_state_work_parallel, wait->at_end ? task : nullptr);
  if (!wait->at_end) return;
  task->arrived_ns = now_ns;
  if (Collecting()) SettleRest(thread, task->region, region->begin_ns, now_ns);
  TeamMember* member = region->team.member(task->thread_num);
  if (member == nullptr) return;
  region->team.ArriveAtEnd(member, now_ns, UsefulSince(*thread, *task, now_ns), wait->waited_ns,
                           task->standing.late_ns);
}

// And goes on, if only to execute a task.
void GoOn(ThreadState* thread, OpenWait* wait, uint64_t now_ns, bool to_task) {
  uint64_t end = now_ns;
  RegionRecord* region = LiveRegion(wait->region);
  if (wait->at_end && region == nullptr) {
    // 0: long ago. All of it is time that the thread was idle then (ImplicitTaskEnds).
    const uint64_t ended = EndOf(wait->region);
    if (ended < end) end = ended != 0 ? ended : wait->since_ns;
  }
  const uint64_t ns = wait->since_ns != 0 && end > wait->since_ns ? end - wait->since_ns : 0;
  WaitedFrom(thread, wait->state, wait->since_ns, end, 0, wait->at_end ? wait->region : 0);
  wait->waited_ns += ns;
  thread->waited_ns += ns;
  wait->since_ns = 0;
  // After the barrier at the region's end there is nothing left to do in it.
  OpenTask* task = CurrentTask(thread);
  if (region == nullptr || task == nullptr || task->region != wait->region || (wait->at_end && !to_task)) return;
  Doing to = Doing::kExecutingTask;
  if (!to_task) {
    const uint32_t depth = Depth(*thread);  // this wait included
    to = depth > task->wait_base + 1 ? DoingIn(thread->open_waits[depth - 2]) : Doing::kWorking;
  }
  if (to == Doing::kWorking && region->team.MayLeave(task->standing))
    LeaveBarrier(thread, task, now_ns);
  else
    Change(thread, task, region, to, now_ns);
}

// libomp 14 and 15 say "implicit" of every barrier that is. The one at the region's end has the region's address in the
// primary thread, and none in the others. Another one may have none in the primary: its address may have been taken
// (CallerHere).
bool IsAtEnd(const OpenTask& task, const RegionRecord& region, uint64_t codeptr_ra) {
  return codeptr_ra == region.codeptr_ra || (codeptr_ra == 0 && task.thread_num != 0);
}

uint32_t StateOf(ompt_sync_region_t kind) { return static_cast<uint32_t>(SyncRegionState(kind)); }

// An explicit task begins or ends on a thread that does not wait.
void WorkOn(ThreadState* thread, Doing to) {
  OpenTask* task = CurrentTask(thread);
  RegionRecord* region =
      task != nullptr && Works(task->standing.doing) && task->standing.doing != to ? LiveRegion(task->region) : nullptr;
  if (region != nullptr) Change(thread, task, region, to, NowFor(thread));
}

// The handler sees the entry once it is complete.
void Enter(ThreadState* thread, uint8_t kind) {
  const uint32_t depth = Depth(*thread);
  if (depth < ThreadState::kMaxWaits) thread->waits[depth] = kind;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread->wait_depth = static_cast<sig_atomic_t>(depth + 1);
}

// The innermost entry that is kept, NULL if there is none or if those inside of it are not kept.
OpenWait* Innermost(ThreadState* thread) {
  const uint32_t depth = Depth(*thread);
  return depth != 0 && depth <= ThreadState::kMaxWaits ? &thread->open_waits[depth - 1] : nullptr;
}

// How many entries there are up to the innermost that is of that task, be it its wait or its execution. 0: none.
uint32_t Find(ThreadState* thread, bool wait, const void* task) {
  const OpenTask* implicit = CurrentTask(thread);
  const uint32_t base = implicit != nullptr ? implicit->wait_base : 0;
  uint32_t at = Depth(*thread);
  if (at > ThreadState::kMaxWaits) at = ThreadState::kMaxWaits;
  for (; at > base; --at) {
    const OpenWait& entry = thread->open_waits[at - 1];
    if ((entry.state != 0) == wait && entry.task == task) return at;
  }
  return 0;
}

// A task is executed no longer, and its entry and those inside of it are taken away. The thread is back in what is
// innermost then.
void GoBackTo(ThreadState* thread, uint32_t depth) {
  thread->wait_depth = static_cast<sig_atomic_t>(depth);
  if (depth > ThreadState::kMaxWaits) return;
  const OpenTask* task = CurrentTask(thread);
  OpenWait* wait = task != nullptr && depth > task->wait_base ? &thread->open_waits[depth - 1] : nullptr;
  if (wait != nullptr && wait->state != 0 && wait->since_ns == 0)
    StopWorking(thread, wait, NowFor(thread), nullptr);
  else if (wait == nullptr)
    WorkOn(thread, Doing::kWorking);
}

// Result: the kind of wait that it is by its place, where the runtime is vague about it.
ompt_sync_region_t Begin(ThreadState* thread, ompt_sync_region_t kind, const void* waiting, uint64_t codeptr_ra) {
  const uint32_t depth = Depth(*thread);
  if (depth >= ThreadState::kMaxWaits) return kind;
  const OpenTask* task = CurrentTask(thread);
  OpenWait* wait = &thread->open_waits[depth];
  *wait = {};
  wait->state = StateOf(kind);
  wait->task = waiting;
  wait->codeptr_ra = codeptr_ra;
  const uint64_t now = NowFor(thread);
  RegionRecord* region = task != nullptr ? LiveRegion(task->region) : nullptr;
  if (region != nullptr) {
    wait->region = task->region;
    wait->region_codeptr_ra = region->codeptr_ra;
    wait->at_end = kind == ompt_sync_region_barrier_implicit_parallel ||
                   (kind == ompt_sync_region_barrier_implicit && IsAtEnd(*task, *region, codeptr_ra));
    if (wait->at_end) {
      kind = ompt_sync_region_barrier_implicit_parallel;
      wait->state = ompt_state_wait_barrier_implicit_parallel;
      wait->codeptr_ra = region->codeptr_ra;
    }
  }
  Team::Arrival arrival{wait->at_end, false, 0};
  StopWorking(thread, wait, now, IsBarrier(wait->state) ? &arrival : nullptr);
  if (!arrival.last || !Collecting()) return kind;
  WaitCounts* counts = CountsOf(thread, {wait->state, Epoch(), wait->codeptr_ra, wait->region_codeptr_ra, 0, 0});
  if (counts == nullptr) return kind;
  Add(&counts->last_count, 1);
  Add(&counts->last_by_ns, arrival.by_ns);
  return kind;
}

void End(ThreadState* thread, OpenWait* wait) {
  const bool counted = Collecting();
  if (!counted) CutOwnWaits(thread);
  GoOn(thread, wait, NowFor(thread), /*to_task=*/false);
  if (!counted) return;
  if (wait->codeptr_ra == 0 && wait->state == ompt_state_wait_barrier_implicit) wait->codeptr_ra = CallerHere(thread);
  uint64_t path_ns = 0;
  // The wait at a region's end is in the profile by the primary's hand, for all threads (RegionEnds).
  if (wait->waited_ns >= PathThresholdNs() && !wait->at_end &&
      PushRow(thread, kWaited, wait->state, 0, wait->waited_ns))
    path_ns = wait->waited_ns;
  AddWait(thread, {wait->state, Epoch(), wait->codeptr_ra, wait->region_codeptr_ra, 0, 0}, wait->waited_ns, path_ns);
}

}  // namespace

void WaitBegins(ThreadState* thread, ompt_sync_region_t kind, const void* task, uint64_t codeptr_ra) {
  if (StateOf(kind) == 0) return;  // of a later OpenMP
  Enter(thread, static_cast<uint8_t>(Begin(thread, kind, task, codeptr_ra)));
}

void WaitEnds(ThreadState* thread, const void* task) {
  OpenWait* wait = Innermost(thread);
  if (wait == nullptr || wait->state == 0) {
    // What is inside of it was not kept, and may have been counted wrong.
    const uint32_t depth = Find(thread, /*wait=*/true, task);
    if (depth == 0) {
      if (Depth(*thread) > ThreadState::kMaxWaits) thread->wait_depth = thread->wait_depth - 1;
      return;
    }
    thread->wait_depth = static_cast<sig_atomic_t>(depth);
    wait = &thread->open_waits[depth - 1];
  }
  End(thread, wait);
  thread->wait_depth = thread->wait_depth - 1;
}

void TaskMade(ThreadState* thread) {
  const OpenTask* task = CurrentTask(thread);
  RegionRecord* region = task != nullptr && WithWaits() ? LiveRegion(task->region) : nullptr;
  if (region != nullptr && !region->team.each_tells.load(std::memory_order_relaxed))
    region->team.each_tells.store(true, std::memory_order_relaxed);
}

void TaskSwitches(ThreadState* thread, const void* prior, const void* next) {
  const uint32_t depth = Depth(*thread);
  OpenWait* innermost = Innermost(thread);
  if (innermost != nullptr && innermost->state == 0 && innermost->within == next) return GoBackTo(thread, depth - 1);
  if (innermost != nullptr && innermost->state != 0 && innermost->task == next) {
    WaitEnds(thread, next);  // for what it depends on
    return TaskSwitches(thread, prior, next);
  }
  TaskMade(thread);  // if the runtime did not say so
  if (innermost != nullptr && innermost->since_ns != 0)
    GoOn(thread, innermost, NowFor(thread), /*to_task=*/true);
  else if (depth <= ThreadState::kMaxWaits)
    WorkOn(thread, Doing::kExecutingTask);
  if (depth < ThreadState::kMaxWaits) {
    OpenWait* entry = &thread->open_waits[depth];
    *entry = {};
    entry->task = next;
    entry->within = prior;
  }
  Enter(thread, 0);
}

void TaskEnds(ThreadState* thread, const void* task) {
  const uint32_t kept = Find(thread, /*wait=*/false, task);
  if (kept != 0)
    GoBackTo(thread, kept - 1);
  else if (Depth(*thread) > ThreadState::kMaxWaits)
    GoBackTo(thread, Depth(*thread) - 1);
  else if (Find(thread, /*wait=*/true, task) != 0)
    WaitEnds(thread, task);  // for what it depends on: thrown away meanwhile
}

}  // namespace ompprof::collect

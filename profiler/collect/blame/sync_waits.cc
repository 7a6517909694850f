#include "profiler/collect/blame/sync_waits.h"

#include "profiler/collect/arch/floating_point.h"
#include "profiler/collect/blame/debt.h"
#include "profiler/collect/blame/device_debt.h"
#include "profiler/collect/blame/governor.h"
#include "profiler/collect/blame/quiet_waits.h"
#include "profiler/collect/blame/wait_intervals.h"
#include "profiler/collect/blame/wait_rows.h"
#include "profiler/collect/blame/wait_state.h"
#include "profiler/collect/blame/waits.h"
#include "profiler/collect/paths/path_here.h"
#include "profiler/collect/quirks/libomp.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {
namespace {

uint64_t UsefulSince(const ThreadState& thread, const OpenTask& task, uint64_t now_ns) {
  const uint64_t inside = now_ns > task.begin_ns ? now_ns - task.begin_ns : 0;
  const uint64_t waited = thread.waiting.waited_ns - task.waited_before_ns;
  return inside > waited ? inside - waited : 0;
}

// The thread stops working for its team. At the region's end, also the region's sums learn of this. True if nothing is
// measured now, because the wait is estimated and no window is open.
bool StopWorking(ThreadState* thread, OpenWait* wait, Team::Arrival* arrival) {
  RegionRecord* region = LiveRegion(wait->region);
  wait->estimated = region != nullptr && region->team.IsEstimated();
  const uint64_t now_ns = NowIn(thread, region);
  wait->since_ns = now_ns;
  OpenTask* task = CurrentTask(thread);
  if (wait->region == 0 && IsTaskWait(wait->state) && serial_tasks.in_use.load(std::memory_order_relaxed)) {
    serial_tasks.AddWaiting(1, now_ns);
    wait->is_serial = true;
  }
  if (region == nullptr || task == nullptr || task->region != wait->region)
    return wait->estimated && window_clock.IsStill();
  ChangeParticipation(thread, task, region, ParticipationIn(wait), now_ns, arrival);
  bool unobserved = false;
  if (wait->estimated) {
    // In a window, ChangeParticipation takes long, and many waits are short.
    const WindowClock::Moment moment = window_clock.Read();
    wait->since_ns = moment.ns;
    // Usually, a planned window has not begun.
    unobserved = (moment.number & 1) == 0;
  }
  // By the window clock, a thread works for long stretches at once.
  if (!wait->estimated) SettleSleep(thread, OmptState::kWorkParallel, wait->at_end ? task : nullptr);
  if (!wait->at_end) return unobserved;
  task->arrived_ns = now_ns;
  if (Collecting()) SettleRest(thread, task->region, region->begin_ns, now_ns);
  if (TeamMember* member = region->team.member(task->thread_num))
    region->team.ArriveAtEnd(member, now_ns, UsefulSince(*thread, *task, now_ns), wait->waited_ns,
                             task->membership.late_ns);
  return unobserved;
}

// A stay of this length in a taskwait is no wait: no task was left, and the measured time is the callback's own. In a
// window, each such stay would count for many.
bool HadNothingToWaitFor(uint64_t ns) {
  constexpr double kShortestNs = 120;
  return static_cast<double>(ns) < kShortestNs * window_clock.Speed();
}

// The thread's participation after a wait.
Participation ParticipationAfter(ThreadState* thread, const OpenTask& task, bool to_task) {
  if (to_task) return Participation::kExecutingTask;
  const uint32_t depth = thread->waiting.stack.depth();  // this wait included
  const OpenWait* around = depth > task.wait_base + 1 ? thread->waiting.stack.at(depth - 2) : nullptr;
  return ParticipationIn(around);
}

// The thread continues after a wait, or executes a task in the wait.
void GoOn(ThreadState* thread, OpenWait* wait, bool to_task) {
  uint64_t end = wait->estimated ? window_clock.Now() : NowFor(thread);
  if (wait->is_serial) {
    serial_tasks.AddWaiting(-1, end);
    wait->is_serial = false;
  }
  const bool no_wait = wait->estimated && IsTaskWait(wait->state) && wait->since_ns != 0 && end > wait->since_ns &&
                       HadNothingToWaitFor(end - wait->since_ns);
  RegionRecord* region = LiveRegion(wait->region);
  OpenTask* task = CurrentTask(thread);
  // After the barrier at its end, the region has no work left.
  if (region != nullptr && task != nullptr && task->region == wait->region && (!wait->at_end || to_task)) {
    const Participation to = ParticipationAfter(thread, *task, to_task);
    if (to == Participation::kWorking && !region->team.IsEstimated() && region->team.MayLeave(task->membership)) {
      LeaveBarrier(thread, task, end);
    } else {
      ChangeParticipation(thread, task, region, to, end, nullptr, no_wait);
    }
  }
  if (wait->at_end && region == nullptr) {
    // 0: the region ended long ago. All the time since was idle time (ImplicitTaskEnds).
    const uint64_t ended = EndOf(wait->region);
    if (ended < end) end = ended != 0 ? ended : wait->since_ns;
  }
  const uint64_t ns = !no_wait && wait->since_ns != 0 && end > wait->since_ns ? end - wait->since_ns : 0;
  if (!wait->estimated) WaitedFrom(thread, wait->state, wait->since_ns, end, 0, wait->at_end ? wait->region : 0);
  wait->waited_ns += ns;
  thread->waiting.waited_ns += ns;
  wait->since_ns = 0;
}

// An explicit task begins or ends on a thread that does not wait.
void WorkOn(ThreadState* thread, Participation to) {
  OpenTask* task = CurrentTask(thread);
  RegionRecord* region =
      task != nullptr && Works(task->membership.participation) && task->membership.participation != to
          ? LiveRegion(task->region)
          : nullptr;
  if (region != nullptr) ChangeParticipation(thread, task, region, to, NowIn(thread, region));
}

// The number of entries outside the present implicit task.
uint32_t WaitBase(ThreadState* thread) {
  const OpenTask* implicit = CurrentTask(thread);
  return implicit != nullptr ? implicit->wait_base : 0;
}

// Leaves a task: removes its entry and the entries inside it. The thread continues the entry that is then the
// innermost.
void GoBackTo(ThreadState* thread, uint32_t depth) {
  const OwnFloatingPoint floating_point;
  thread->waiting.stack.CutTo(depth);
  OpenWait* wait = thread->waiting.stack.Innermost();
  if (wait == nullptr && depth != 0) return;  // not kept
  const OpenTask* task = CurrentTask(thread);
  if (task == nullptr || depth <= task->wait_base) wait = nullptr;
  if (wait != nullptr && wait->state != OmptState::kNone && wait->since_ns == 0)
    StopWorking(thread, wait, nullptr);
  else if (wait == nullptr)
    WorkOn(thread, Participation::kWorking);
}

// From now on, the team's waits are estimated if the governor says so.
inline void EstimateIfTooMany(ThreadState* thread, RegionRecord* region) {
  if (!governor.Estimates(Governed::kTeams) || region->team.IsEstimated()) return;
  const uint64_t now = NowFor(thread);
  region->team.Estimate(now, window_clock.Now(), PassedTo(*region, now).debt);
}

// Begins a wait. Returns the kind of wait by its place, where the runtime is vague about the kind.
ompt_sync_region_t Begin(ThreadState* thread, ompt_sync_region_t kind, const void* waiting, uint64_t codeptr_ra) {
  OpenWait* wait = thread->waiting.stack.Next();
  if (wait == nullptr) return kind;
  const OpenTask* task = CurrentTask(thread);
  wait->state = SyncRegionState(kind);
  wait->task = waiting;
  wait->codeptr_ra = codeptr_ra;
  wait->windows = window_clock.windows();
  RegionRecord* region = task != nullptr ? LiveRegion(task->region) : nullptr;
  if (region != nullptr) {
    wait->region = task->region;
    wait->region_codeptr_ra = region->codeptr_ra;
    wait->at_end = libomp::IsAtRegionsEnd(kind, task->thread_num, codeptr_ra, region->codeptr_ra);
    if (wait->at_end) {
      kind = ompt_sync_region_barrier_implicit_parallel;
      wait->state = OmptState::kWaitBarrierImplicitParallel;
      wait->codeptr_ra = region->codeptr_ra;
    }
  }
  if (region != nullptr) EstimateIfTooMany(thread, region);
  Team::Arrival arrival{wait->at_end, false, 0};
  if (StopWorking(thread, wait, IsBarrier(wait->state) ? &arrival : nullptr))
    thread->waiting.costs.Unobserved(IsTaskWait(wait->state) ? fields::kClassTaskWait : fields::kClassBarrier, 2);
  if (!arrival.last || !Collecting()) return kind;
  WaitCounts* counts = CountsOf(thread, {wait->state, Epoch(), wait->codeptr_ra, wait->region_codeptr_ra, 0, 0});
  if (counts == nullptr) return kind;
  Add(&counts->last_count, 1);
  Add(&counts->last_by_ns, arrival.by_ns);
  return kind;
}

void AddEstimated(ThreadState* thread, const OpenWait& wait) {
  WaitCounts* counts = CountsOfPlace(thread, wait);
  if (counts == nullptr) return;
  Add(&counts->estimated_count, 1);
  // Nearly always: no window was open.
  if (__builtin_expect(wait.waited_ns == 0 && window_clock.IsStill(), true)) return;
  const uint32_t number = window_clock.Read().number;
  if ((number & 1) != 0) CountInWindow(counts, window_clock.Weight());
  if (wait.waited_ns == 0) return;
  Add(&counts->total_ns, wait.waited_ns);
  AddEstimate(counts, wait.waited_ns, number, (number + 1) / 2 - wait.windows);
  if (wait.waited_ns >= PathThresholdNs() && !wait.at_end &&
      PushRow(thread, kWaited, wait.state, 0, wait.waited_ns, /*estimated=*/true))
    Add(&counts->path_ns, wait.waited_ns);
}

void End(ThreadState* thread, OpenWait* wait) {
  const bool counted = Collecting();
  if (!counted) EndOwnWaitsWithProfile(thread);
  GoOn(thread, wait, /*to_task=*/false);
  if (!counted) return;
  if (wait->estimated) return AddEstimated(thread, *wait);
  if (wait->codeptr_ra == 0) wait->codeptr_ra = CallerHere(thread);
  uint64_t path_ns = 0;
  // The primary reports the wait at a region's end, for all threads (RegionEnds).
  if (wait->waited_ns >= PathThresholdNs() && !wait->at_end &&
      PushRow(thread, kWaited, wait->state, 0, wait->waited_ns))
    path_ns = wait->waited_ns;
  AddWait(thread, {wait->state, Epoch(), wait->codeptr_ra, wait->region_codeptr_ra, 0, 0}, wait->waited_ns, path_ns);
}

// Whether a team with exact waits has had an untied task. A thread that executes a part of such a task may know nothing
// of the earlier parts.
std::atomic<bool> untied_tasks{false};

// Whether a task may make tasks of which its thread does not hear.
std::atomic<bool> unseen_tasks{false};

// Whether `task` has made tasks since its last taskwait, or may have made tasks. NULL: unknown, or `task` is not the
// task that the thread executes, but the task of a taskwait with dependences.
bool* MadeTasks(ThreadState* thread, const void* task) {
  OpenTask* implicit = CurrentTask(thread);
  if (implicit == nullptr || unseen_tasks.load(std::memory_order_relaxed)) return nullptr;
  const uint32_t depth = thread->waiting.stack.depth();
  if (depth == implicit->wait_base) return implicit->data == task ? &implicit->made_tasks : nullptr;
  OpenWait* executed = depth > implicit->wait_base ? thread->waiting.stack.Innermost() : nullptr;
  const bool is_it = executed != nullptr && executed->state == OmptState::kNone && executed->task == task;
  return is_it && !untied_tasks.load(std::memory_order_relaxed) ? &executed->made_tasks : nullptr;
}

// A taskwait of a task that has made no tasks. It waits for nothing, and a clock would measure only the callbacks.
// Neither waits nor blame contain it. Where waits are estimated, all taskwaits go the usual way.
bool BeginForNothing(ThreadState* thread, const void* waiting, uint64_t codeptr_ra) {
  const bool* made_tasks = MadeTasks(thread, waiting);
  if (made_tasks == nullptr || *made_tasks || governor.Estimates(Governed::kTeams)) return false;
  const OpenTask* task = CurrentTask(thread);
  const RegionRecord* region = LiveRegion(task->region);
  OpenWait* wait = region != nullptr && !region->team.IsEstimated() ? thread->waiting.stack.Next() : nullptr;
  if (wait == nullptr) return false;
  wait->nothing = true;
  wait->state = OmptState::kWaitTaskwait;
  wait->task = waiting;
  wait->codeptr_ra = codeptr_ra;
  wait->region = task->region;
  wait->region_codeptr_ra = region->codeptr_ra;
  thread->waiting.stack.Push(ompt_sync_region_taskwait);
  return true;
}

// False: the thread executed a task in this wait, so it was a real wait.
bool EndForNothing(ThreadState* thread, const OpenWait& wait) {
  if (!wait.nothing || wait.since_ns != 0 || !Collecting()) return false;
  AddWait(CountsOfPlace(thread, wait), 0, 0);
  thread->waiting.stack.Pop();
  return true;
}

}  // namespace

Quiet LookForQuiet(ThreadState* thread) {
  constexpr Quiet kNot{nullptr, nullptr, 0};
  OpenTask* task = CurrentTask(thread);
  if (task == nullptr || task->member == nullptr) return kNot;
  RegionRecord* region = LiveRegion(task->region);
  if (region == nullptr || !region->team.IsEstimated()) return kNot;
  const uint32_t stamp = window_clock.stamp();
  // Usually, a planned window has not begun.
  const WindowClock::Moment now = window_clock.Read();
  if ((now.number & 1) != 0) return kNot;
  // The debt of the last window must be settled first.
  const Participation participation = task->membership.participation;
  const bool settled = !Works(participation) || task->debt_read == region->team.clock.DebtNow(participation).debt;
  if (!settled || !region->team.IsUpToDate(now.ns)) return kNot;
  // Nothing of this changes before the clock runs again. The region lives as long as its waits have events. The
  // exception is the late end of the wait at the region's own end.
  if ((stamp & 1) == 0) task->quiet_stamp = stamp;
  return {task, region, now.ns};
}

void WaitBegins(ThreadState* thread, ompt_sync_region_t kind, const void* task, uint64_t codeptr_ra) {
  const OmptState state = SyncRegionState(kind);
  if (state == OmptState::kNone) return;                                  // a kind of a later OpenMP
  if (!IsTaskWait(state)) Add(&thread->waiting.costs.barrier_events, 2);  // the wait's end as well
  if (kind != ompt_sync_region_barrier_implicit_parallel && !libomp::IsVague(kind) &&
      BeginQuietly(thread, state, static_cast<uint8_t>(kind), task, codeptr_ra))
    return;
  if (kind == ompt_sync_region_taskwait && BeginForNothing(thread, task, codeptr_ra)) return;
  const OwnFloatingPoint floating_point;
  thread->waiting.stack.Push(static_cast<uint8_t>(Begin(thread, kind, task, codeptr_ra)));
}

void WaitEnds(ThreadState* thread, const void* task) {
  OpenWait* wait = thread->waiting.stack.Innermost();
  if (wait == nullptr) return thread->waiting.stack.Pop();  // not kept
  if (wait->state == OmptState::kNone) {
    // The runtime did not tell the end of the entries inside.
    const uint32_t depth = thread->waiting.stack.Find(/*wait=*/true, task, WaitBase(thread));
    if (depth == 0) return;
    thread->waiting.stack.CutTo(depth);
    wait = thread->waiting.stack.Innermost();
  }
  if (EndForNothing(thread, *wait) || EndQuietly(thread, *wait)) return;
  const OwnFloatingPoint floating_point;
  const void* waited = wait->state == OmptState::kWaitTaskwait && !wait->estimated ? wait->task : nullptr;
  End(thread, wait);
  thread->waiting.stack.Pop();
  // All tasks that this task has made are done.
  if (bool* made_tasks = waited != nullptr ? MadeTasks(thread, waited) : nullptr) *made_tasks = false;
}

void TaskMade(ThreadState* thread, int flags) {
  OpenTask* task = CurrentTask(thread);
  RegionRecord* region = task != nullptr && WithWaits() ? LiveRegion(task->region) : nullptr;
  if (region == nullptr || region->team.IsEstimated()) return;
  if (!region->team.each_tells.load(std::memory_order_relaxed))
    region->team.each_tells.store(true, std::memory_order_relaxed);
  if ((flags & ompt_task_untied) != 0 && !untied_tasks.load(std::memory_order_relaxed))
    untied_tasks.store(true, std::memory_order_relaxed);
  // The new task's maker is innermost, or already waits for the new task's dependences.
  task->made_tasks = true;
  const uint32_t depth = thread->waiting.stack.depth();
  for (uint32_t up = 1; up <= 2 && depth >= task->wait_base + up; ++up) {
    if (OpenWait* entry = thread->waiting.stack.at(depth - up)) entry->made_tasks = true;
  }
}

void TasksAreMadeUnseen() { unseen_tasks.store(true, std::memory_order_relaxed); }

void TaskSwitches(ThreadState* thread, const void* prior, const void* next) {
  OpenWait* innermost = thread->waiting.stack.Innermost();
  if (innermost != nullptr && innermost->state == OmptState::kNone && innermost->within == next)
    return GoBackTo(thread, thread->waiting.stack.depth() - 1);
  if (innermost != nullptr && innermost->state != OmptState::kNone && innermost->task == next) {
    WaitEnds(thread, next);  // the wait for its dependences
    innermost = thread->waiting.stack.Innermost();
  }
  if (SwitchQuietly(thread, innermost, prior, next)) return;
  const OwnFloatingPoint floating_point;
  TaskMade(thread, 0);  // if the runtime has not said so
  const OpenTask* task = CurrentTask(thread);
  if (RegionRecord* region = task != nullptr ? LiveRegion(task->region) : nullptr) {
    EstimateIfTooMany(thread, region);
    if (region->team.IsEstimated() && (window_clock.Read().number & 1) == 0)
      thread->waiting.costs.Unobserved(fields::kClassTask, 2);  // the task's end as well
  }
  if (innermost != nullptr && innermost->since_ns != 0)
    GoOn(thread, innermost, /*to_task=*/true);
  else if (innermost != nullptr || thread->waiting.stack.depth() == 0)
    WorkOn(thread, Participation::kExecutingTask);
  if (OpenWait* entry = thread->waiting.stack.Next()) {
    entry->task = next;
    entry->within = prior;
  }
  thread->waiting.stack.Push(0);
}

void TaskEnds(ThreadState* thread, const void* task) {
  const OpenWait* innermost = thread->waiting.stack.Innermost();
  if (innermost != nullptr && innermost->state == OmptState::kNone && innermost->task == task && GoBackQuietly(thread))
    return;
  const uint32_t base = WaitBase(thread);
  if (const uint32_t kept = thread->waiting.stack.Find(/*wait=*/false, task, base))
    GoBackTo(thread, kept - 1);
  else if (thread->waiting.stack.depth() != 0 && thread->waiting.stack.Innermost() == nullptr)
    GoBackTo(thread, thread->waiting.stack.depth() - 1);
  else if (thread->waiting.stack.Find(/*wait=*/true, task, base) != 0)
    WaitEnds(thread, task);  // the wait for its dependences: the task was thrown away meanwhile
}

}  // namespace ompprof::collect

#include "profiler/collect/blame/region_waits.h"

#include <algorithm>

#include "profiler/collect/blame/debt.h"
#include "profiler/collect/blame/governor.h"
#include "profiler/collect/blame/outside_regions.h"
#include "profiler/collect/blame/wait_intervals.h"
#include "profiler/collect/blame/wait_rows.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {
namespace {

// A value of "passed before" that no clock exceeds, so nothing is passed on.
constexpr double kNothingIsPassed = 1e300;

}  // namespace

void TeamBegins(ThreadState* thread, RegionRecord* region) {
  if (!WithWaits()) return;
  const RegionRecord* parent = LiveRegion(region->parent);
  region->inside = parent != nullptr && (parent->inside || parent->team.size.load(std::memory_order_relaxed) > 1);
  region->outermost = false;
  OpenTask* task = CurrentTask(thread);
  const bool known = (task != nullptr ? task->region : 0) == region->parent;
  region->encountered = known && task != nullptr && Works(task->membership.participation)
                            ? task->membership.participation
                            : Participation::kWorking;
  BlameClock::Charge charge;
  if (!ReadCharge(region->parent, region->encountered, region->begin_ns, kTries, &charge)) {
    region->team.clock.Reset(region->begin_ns, kNothingIsPassed);
    return;
  }
  region->team.clock.Reset(region->begin_ns, charge.debt);
  // A team inside a team with estimated waits is estimated too, because the outer clock does not tell the debt that it
  // passes on.
  if (governor.Estimates(Governed::kTeams) || (parent != nullptr && parent->team.IsEstimated()))
    region->team.Estimate(region->begin_ns, window_clock.Now(), charge.debt);
  if (!known || thread->blame.until_ns == 0) return;
  // From here on, the whole new team shares the debt to the threads that wait outside.
  {
    const BlameScope scope(thread);
    double* debt_read = task != nullptr ? &task->debt_read : &thread->blame.root_debt_read;
    if (IsKnown(task)) AddDebt(thread, *debt_read, charge.debt, NowIn(thread, parent));
    *debt_read = -1;
    thread->blame.until_ns = 0;
  }
  SettleSleep(thread, task != nullptr ? OmptState::kWorkParallel : OmptState::kWorkSerial);
  if (Collecting())
    SettleRest(thread, task != nullptr ? task->region : 0, thread->blame.stretch_since_ns, region->begin_ns);
}

namespace {

// An implicit task of the region, without any figures of waits yet.
OpenTask TaskIn(RegionRef ref, uint32_t team_size, uint32_t thread_num) {
  OpenTask task{};
  task.region = ref;
  task.team_size = team_size;
  task.thread_num = thread_num;
  task.debt_read = -1;
  task.quiet_stamp = kNeverQuiet;
  return task;
}

}  // namespace

void ImplicitTaskBegins(ThreadState* thread, RegionRef ref, uint32_t team_size, uint32_t thread_num) {
  if (!WithWaits()) {
    if (thread_num != 0) thread->tasks.depth = 0;  // a worker has no other
    if (thread->tasks.depth < ThreadTasks::kMost)
      thread->tasks.open[thread->tasks.depth] = TaskIn(ref, team_size, thread_num);
    ++thread->tasks.depth;
    return;
  }
  uint64_t now = NowFor(thread);
  if (thread->waiting.idle_since_ns != 0) {
    outside_regions.AddIdle(-1, now);
    WaitedFrom(thread, OmptState::kIdle, thread->waiting.idle_since_ns, now);
    if (Collecting())
      AddWait(thread, {OmptState::kIdle, Epoch(), 0, 0, 0, 0},
              now > thread->waiting.idle_since_ns ? now - thread->waiting.idle_since_ns : 0, 0);
    thread->waiting.idle_since_ns = 0;
  }
  RegionRecord* region = LiveRegion(ref);
  if (region != nullptr && region->team.size.load(std::memory_order_relaxed) == 0 && team_size <= kMaxTeam &&
      region->team.Begin(team_size) && team_size > 1 && !region->inside) {
    outside_regions.clock.Lock();
    region->outermost = true;
    if (outside_regions.parallel++ == 0) outside_regions.parallel_since_ns = region->begin_ns;
    outside_regions.clock.Unlock();
  }
  const BlameScope scope(thread);
  if (thread_num != 0) thread->tasks.depth = 0;  // a worker has no other
  const bool estimated = region != nullptr && region->team.IsEstimated();
  if (estimated) now = window_clock.Now();
  thread->blame.until_ns = region != nullptr ? now : 0;
  thread->blame.stretch_since_ns = region != nullptr ? region->begin_ns : now;
  // A late thread's debt begins at the region's begin.
  if (thread->tasks.depth < ThreadTasks::kMost) {
    OpenTask* task = &thread->tasks.open[thread->tasks.depth];
    *task = TaskIn(ref, team_size, thread_num);
    task->begin_ns = now;
    task->waited_before_ns = thread->waiting.waited_ns;
    task->wait_base = thread->waiting.stack.depth();
    if (region != nullptr) {
      task->debt_read = 0;
      task->member = region->team.member(thread_num);
      task->membership.instance = region->team.instance;
    }
    if (task->member != nullptr) {
      task->Publish(Participation::kWorking);
    }
  }
  ++thread->tasks.depth;
}

bool Departs(const OpenTask& task, uint64_t now_ns) {
  RegionRecord* region = LiveRegion(task.region);
  if (region == nullptr) return false;
  if (region->team.IsEstimated()) now_ns = window_clock.Now();
  return region->team.Depart(task.membership, region->team.member(task.thread_num), now_ns);
}

void ImplicitTaskEnds(ThreadState* thread) {
  if (thread->tasks.depth == 0) return;
  if (!WithWaits()) {
    --thread->tasks.depth;
    return;
  }
  OpenTask* task = CurrentTask(thread);
  if (task != nullptr && Works(task->membership.participation)) {
    RegionRecord* region = LiveRegion(task->region);
    if (region != nullptr) ChangeParticipation(thread, task, region, Participation::kWaiting, NowIn(thread, region));
  }
  const BlameScope scope(thread);
  --thread->tasks.depth;
  thread->blame.until_ns = 0;
  if (task == nullptr) return;
  if (task->thread_num == 0) {
    thread->waiting.stack.CutTo(task->wait_base);
    return;
  }
  // A worker hears of its task's end when the worker is next needed. It has been idle since its region's end. A worker
  // that hears of the end at once is idle from now on.
  uint64_t idle_since = EndOf(task->region);
  if (idle_since == 0) {
    const uint64_t now = NowFor(thread);
    if (Departs(*task, now)) {
      outside_regions.AddIdle(1, now);
      idle_since = now;
    } else {
      idle_since = EndOf(task->region);
    }
    // The end of the region is unknown if its record has served many other regions since. The region was short, or a
    // sample would have kept its record. So the worker has been idle since about its arrival at the end.
    if (idle_since == 0)
      idle_since = task->arrived_ns != 0 && LiveRegion(task->region) == nullptr ? task->arrived_ns : now;
  }
  thread->waiting.idle_since_ns = idle_since;
}

namespace {

// The team's threads, except the encountering thread, are idle from now on.
void TeamIsIdle(const RegionRecord& region, uint32_t size, uint64_t now_ns) {
  if (size <= 1 || region.team.size.load(std::memory_order_relaxed) == 0) return;
  outside_regions.clock.Lock();
  outside_regions.clock.Advance(now_ns, 0);
  outside_regions.clock.Add(Participation::kWaiting, static_cast<int32_t>(size - 1 - region.team.departed));
  if (region.outermost && --outside_regions.parallel == 0 && now_ns > outside_regions.parallel_since_ns)
    Add(&outside_regions.parallel_ns, now_ns - outside_regions.parallel_since_ns);
  outside_regions.clock.Unlock();
}

// From now on, only the encountering thread has a debt to the threads that wait outside.
void TakeBackOuterBlame(ThreadState* thread, const RegionRecord& region, double debt, uint64_t now_ns) {
  const BlameScope scope(thread);
  OpenTask* task = CurrentTask(thread);
  const bool known =
      (task != nullptr ? task->region : 0) == region.parent && (task != nullptr || thread->blame.is_root);
  if (!known) return;
  (task != nullptr ? task->debt_read : thread->blame.root_debt_read) = debt;
  thread->blame.until_ns = NowIn(thread, task != nullptr ? LiveRegion(task->region) : nullptr);
  thread->blame.stretch_since_ns = now_ns;
}

// The times of a team's threads, at their arrival at the region's end.
struct TeamTimes {
  uint64_t waited_ns = 0;
  uint64_t longest_wait_ns = 0;
  uint64_t useful_ns = 0;
  uint64_t useful_max_ns = 0;
  uint64_t useful_min_ns = UINT64_MAX;
  uint64_t late_ns = 0;
  uint32_t threads = 0;

  void AddThread(const TeamMember& member, uint64_t end_ns) {
    const uint64_t arrived = member.arrived_ns.load(std::memory_order_relaxed);
    const uint64_t waited =
        (end_ns > arrived ? end_ns - arrived : 0) + member.waited_ns.load(std::memory_order_relaxed);
    const uint64_t useful = member.useful_ns.load(std::memory_order_relaxed);
    late_ns += member.late_ns.load(std::memory_order_relaxed);
    waited_ns += waited;
    if (waited > longest_wait_ns) longest_wait_ns = waited;
    useful_ns += useful;
    if (useful > useful_max_ns) useful_max_ns = useful;
    if (useful < useful_min_ns) useful_min_ns = useful;
    ++threads;
  }
};

TeamTimes TimesOf(Team* team, uint32_t size, uint64_t end_ns) {
  TeamTimes times;
  for (uint32_t i = 0; i < size; ++i) {
    const TeamMember* member = team->member(i);
    if (member == nullptr) break;
    if (team->IsAtEnd(*member)) times.AddThread(*member, end_ns);
  }
  // If a member is missing, the sum modulo 2^64 means nothing.
  if (times.threads != size || static_cast<int64_t>(times.late_ns) < 0) times.late_ns = 0;
  return times;
}

void CountEnd(const TeamTimes& times, const BlameClock::Totals& totals, bool estimated, uint64_t team_ns,
              RegionCounts* counts) {
  const auto scaled = [estimated](uint64_t ns) {
    return estimated ? static_cast<uint64_t>(static_cast<double>(ns) * governor.BlameScale()) : ns;
  };
  Add(&counts->end_wait_ns, times.waited_ns);
  Add(&counts->useful_ns, times.useful_ns);
  Add(&counts->useful_max_ns, times.useful_max_ns);
  Add(&counts->useful_min_ns, times.useful_min_ns);
  Add(&counts->team_ns, team_ns);
  Add(&counts->partial_ns, totals.partial_ns);
  Add(&counts->sync_wait_ns, scaled(totals.waited_ns) + times.late_ns);
  Add(&counts->outer_blame_ns, totals.passed_ns);
  Add(&counts->unblamed_ns, scaled(totals.unblamed_ns) + times.late_ns);
  if (estimated) Add(&counts->estimated, 1);
}

}  // namespace

bool RegionEnds(ThreadState* thread, RegionRecord* region, uint64_t now_ns, RegionCounts* counts, uint64_t* wait_ns) {
  MarkEnd(region, now_ns);
  region->run = {};
  *wait_ns = 0;
  if (!WithWaits()) return false;
  const uint32_t size = region->actual_team_size.load(std::memory_order_relaxed);
  const BlameClock::Charge passed = PassedTo(*region, now_ns);
  const bool estimated = region->team.IsEstimated();
  const uint64_t end_ns = estimated ? window_clock.Now() : now_ns;
  BlameClock::Totals totals = region->team.End(end_ns, passed);
  // A thread that no other waits for may have read its clock a moment after the region's end.
  totals.partial_ns = std::min(totals.partial_ns, now_ns - region->begin_ns);
  TeamIsIdle(*region, size, now_ns);
  TakeBackOuterBlame(thread, *region, passed.debt, now_ns);
  const TeamTimes times = TimesOf(&region->team, size, end_ns);
  *wait_ns = times.waited_ns;
  if (times.threads == 0) return false;
  region->run = {
      times.waited_ns, times.useful_ns, times.useful_max_ns, times.useful_min_ns, (now_ns - region->begin_ns) * size,
      estimated};
  if (counts != nullptr) CountEnd(times, totals, estimated, region->run.team_ns, counts);
  return times.longest_wait_ns >= PathThresholdNs();
}

}  // namespace ompprof::collect

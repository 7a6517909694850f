#include "profiler/collect/blame/debt.h"

#include <sched.h>

#include "profiler/collect/arch/floating_point.h"
#include "profiler/collect/blame/governor.h"
#include "profiler/collect/blame/outside_regions.h"
#include "profiler/collect/blame/wait_rows.h"
#include "profiler/collect/paths/path_here.h"

namespace ompprof::collect {
namespace {

// A thread that works this long without a sample has most likely slept. The kernel seldom keeps a thread from running
// for longer. Where the kernel does, the next sample is a better guess.
constexpr uint64_t kLeastSleepNs = 30000000;

// The largest debt, in periods of the sampling clock, that a sample does not take where nobody waits.
constexpr uint64_t kCarriedPeriods = 8;

// A stretch of work of this many periods keeps its debt to itself.
constexpr uint64_t kLongPeriods = 8;

// A sample stands for at most this many periods after it, if the thread has slept since.
constexpr uint64_t kSleptPeriods = 4;

// The limit of kCarriedPeriods for estimated waits: the largest debt from the longest stretch between two windows.
constexpr uint64_t kCarriedEstimateNs = 200000000;

// The number of region levels whose waiting counts.
constexpr uint32_t kMaxLevels = 16;

bool ReadClock(const BlameClock& clock, uint64_t now_ns, const BlameClock::Charge& passed, int tries,
               BlameClock::Reading* reading) {
  for (int i = 0; i < tries; ++i) {
    if (clock.Read(now_ns, passed, reading)) return true;
    if (i > 200) sched_yield();  // the clock's owner lost its processor
  }
  return false;
}
constexpr int kTriesInHandler = 4;

// The task's region, if the region's waits are estimated.
RegionRecord* EstimatedRegion(const OpenTask* task) {
  if (task == nullptr || task->member == nullptr) return nullptr;
  RegionRecord* region = LiveRegion(task->region);
  return region != nullptr && region->team.IsEstimated() ? region : nullptr;
}

}  // namespace

bool ReadCharge(RegionRef ref, Participation participation, uint64_t now_ns, int tries, BlameClock::Charge* charge) {
  const RegionRecord* levels[kMaxLevels];
  uint32_t count = 0;
  while (ref != 0 && count < kMaxLevels) {
    const RegionRecord* region = LiveRegion(ref);
    if (region == nullptr) break;
    levels[count++] = region;
    ref = region->parent;
  }
  BlameClock::Reading reading;
  if (!ReadClock(outside_regions.clock, now_ns, {0, 0}, tries, &reading)) return false;
  while (count > 0) {
    const RegionRecord* region = levels[--count];
    const BlameClock::Charge passed = reading.of(region->encountered);
    const uint64_t now = region->team.IsEstimated() ? window_clock.Now() : now_ns;
    if (!ReadClock(region->team.clock, now, passed, tries, &reading)) return false;
  }
  *charge = reading.of(participation);
  return true;
}

BlameClock::Charge PassedTo(const RegionRecord& region, uint64_t now_ns, int tries) {
  BlameClock::Charge charge{0, 0};
  ReadCharge(region.parent, region.encountered, now_ns, tries, &charge);
  return charge;
}

void AddDebt(ThreadState* thread, double before, double after, uint64_t now_ns) {
  const uint64_t since = thread->blame.until_ns;
  thread->blame.until_ns = now_ns;
  if (since == 0 || since < outside_regions.collecting_from_ns.load(std::memory_order_relaxed) || !Collecting()) {
    thread->blame.due_ns = 0;
    thread->blame.worked_ns = 0;
    return;
  }
  if (before >= 0 && after > before) thread->blame.due_ns += after - before;
  if (now_ns > since) thread->blame.worked_ns += now_ns - since;
}

namespace {

// ChangeParticipation, in a team whose waits are estimated.
void ChangeEstimated(ThreadState* thread, OpenTask* task, RegionRecord* region, Participation to, bool no_wait) {
  const BlameScope scope(thread);
  const WindowClock::Moment moment = window_clock.Read();
  uint64_t now = moment.ns;
  Team* team = &region->team;
  const Participation from = task->membership.participation;
  BlameClock::Charge before, after;
  if (__builtin_expect((moment.number & 1) == 0 && team->IsUpToDate(now), true)) {
    // The window clock stands still, so the team's clock need not know.
    task->membership.participation = to;
    task->membership.told_ns = now;
    task->Publish(to);
    before = team->clock.DebtNow(from);
    after = team->clock.DebtNow(to);
    if (task->debt_read == before.debt || task->debt_read < 0) {
      task->debt_read = Works(to) ? after.debt : -1;
      thread->blame.until_ns = Works(to) ? now : 0;
      return;
    }
  } else {
    const BlameClock::Charge passed = PassedTo(*region, NowFor(thread));
    const Team::Changed changed = team->ChangeInWindow(&task->membership, task->member, to, passed, no_wait, &now);
    before = changed.reading.of(from);
    after = changed.reading.of(to);
  }
  if (Works(from)) AddDebt(thread, task->debt_read, before.debt, now);
  task->debt_read = Works(to) ? after.debt : -1;
  thread->blame.until_ns = Works(to) ? now : 0;
}

}  // namespace

void ChangeParticipation(ThreadState* thread, OpenTask* task, RegionRecord* region, Participation to, uint64_t now_ns,
                         Team::Arrival* arrival, bool no_wait) {
  if (region->team.IsEstimated() && task->member != nullptr) return ChangeEstimated(thread, task, region, to, no_wait);
  task->Publish(to);
  const BlameClock::Charge passed = PassedTo(*region, now_ns);
  const BlameScope scope(thread);
  const Team::Changed changed = region->team.ChangeParticipation(&task->membership, to, now_ns, passed, arrival);
  if (changed.worked) AddDebt(thread, task->debt_read, changed.reading.of(changed.from).debt, now_ns);
  task->debt_read = Works(to) ? changed.reading.of(to).debt : -1;
  thread->blame.until_ns = Works(to) ? now_ns : 0;
}

void LeaveBarrier(ThreadState* thread, OpenTask* task, uint64_t now_ns) {
  const BlameScope scope(thread);
  Team::Leave(&task->membership, now_ns);
  task->Publish(Participation::kWorking);
  task->debt_read = 0;
  thread->blame.until_ns = now_ns;
}

void SettleSleep(ThreadState* thread, OmptState state, const OpenTask* finished) {
  const uint64_t threshold = PathThresholdNs();
  const uint64_t slept = threshold * 2 > kLeastSleepNs ? threshold * 2 : kLeastSleepNs;
  if (thread->blame.worked_ns < slept || thread->blame.due_ns < static_cast<double>(threshold) || !Collecting()) return;
  const BlameScope scope(thread);
  const auto due = static_cast<uint64_t>(thread->blame.due_ns);
  if (!(finished != nullptr ? PushAtRegion(thread, *finished, due) : PushRow(thread, kSampled, state, 0, due))) return;
  thread->blame.due_ns -= static_cast<double>(due);
  thread->blame.worked_ns = 0;
}

// In an estimated team, a long time is no sign of sleep.
void SettleLongSleep(ThreadState* thread, OmptState state) {
  // The caller has just read the clock, unless its locks are not timed.
  const uint64_t now_ns = governor.Estimates(Governed::kLocks) ? NowFor(thread) : thread->now_ns;
  if (EstimatedRegion(CurrentTask(thread)) != nullptr) return;
  if (thread->blame.until_ns == 0 || now_ns < thread->blame.until_ns + kLeastSleepNs || !Collecting()) return;
  const OwnFloatingPoint floating_point;
  OpenTask* task = CurrentTask(thread);
  double* debt_read = task != nullptr ? &task->debt_read : &thread->blame.root_debt_read;
  const Participation participation = task != nullptr ? task->membership.participation : Participation::kWorking;
  BlameClock::Charge charge;
  if (*debt_read < 0 || !Works(participation) || !IsKnown(task) ||
      !ReadCharge(task != nullptr ? task->region : 0, participation, now_ns, kTries, &charge))
    return;
  {
    const BlameScope scope(thread);
    AddDebt(thread, *debt_read, charge.debt, now_ns);
    *debt_read = charge.debt;
  }
  SettleSleep(thread, state);
}

namespace {

// Whether the thread slept for most of its time of work since its last sample, as far as the collector can see. Two
// signs say so: there was no event for some periods, and the kernel has put the thread to sleep in this stretch.
bool HasSlept(const ThreadState& thread) {
  return thread.blame.worked_ns > kSleptPeriods * PathThresholdNs() && VoluntarySwitches() != thread.blame.switches;
}

// Gives the debt to the last blamed sample since `since_ns`. False if there is no such sample, or the thread has slept
// after it.
bool GiveToLastBlamed(ThreadState* thread, RegionRef region, uint64_t since_ns, uint64_t due_ns) {
  if (thread->blame.last_sample_ns <= since_ns || thread->blame.last_sample.region != region) return false;
  // By the window clock, a thread works for long stretches at once.
  if (!IsEstimated(CurrentTask(thread)) && HasSlept(*thread)) return false;
  if (region != 0 && !MarkSampled(region)) return false;
  Sample row = thread->blame.last_sample;
  row.extra = due_ns;
  row.weight = 0;
  row.count = 0;
  TellOffProcessor(thread, &row);
  return PushFromCallback(thread, row);
}

bool IsWorthARow(const ThreadState& thread) {
  return thread.blame.due_ns >= static_cast<double>(PathThresholdNs()) / 4;
}

}  // namespace

void SettleRest(ThreadState* thread, RegionRef region, uint64_t since_ns, uint64_t now_ns) {
  if (!IsWorthARow(*thread) || now_ns < since_ns + kLongPeriods * PathThresholdNs()) return;
  const BlameScope scope(thread);
  const auto due = static_cast<uint64_t>(thread->blame.due_ns);
  const bool given = GiveToLastBlamed(thread, region, since_ns, due) ||
                     (region != 0 ? PushAtRegion(thread, *CurrentTask(thread), due)
                                  : PushRow(thread, kSampled, OmptState::kWorkSerial, 0, due));
  if (!given) return;
  thread->blame.due_ns -= static_cast<double>(due);
  thread->blame.worked_ns = 0;
}

void SettleAtEnd(ThreadState* thread, RegionRef region) {
  if (!IsWorthARow(*thread)) return;
  const BlameScope scope(thread);
  const auto due = static_cast<uint64_t>(thread->blame.due_ns);
  if (GiveToLastBlamed(thread, region, thread->blame.stretch_since_ns, due) ||
      PushAtEnd(thread, region != 0 ? OmptState::kWorkParallel : OmptState::kWorkSerial, due))
    thread->blame.due_ns -= static_cast<double>(due);
}

void RememberBlamed(ThreadState* thread, const Sample& sample) {
  // A system call that takes half as long as the rest of the handler.
  if (thread->blame.last_sample_ns <= thread->blame.stretch_since_ns) thread->blame.switches = VoluntarySwitches();
  thread->blame.last_sample = sample;
  thread->blame.last_sample_ns = thread->blame.until_ns;
}

bool IsKnown(const OpenTask* task) {
  if (task == nullptr || !task->membership.at_barrier) return true;
  const RegionRecord* region = LiveRegion(task->region);
  return region != nullptr && region->team.Knows(task->membership);
}

namespace {

// Whether a thread of the team, or of a team around it, waits at this moment. Looks at Team::kMostCounted threads in
// all.
bool AnyoneWaits(RegionRecord* region) {
  uint32_t looked = 0;
  for (uint32_t level = 0; region != nullptr && level < kMaxLevels; ++level) {
    Team* team = &region->team;
    if (!team->IsEstimated()) {
      const BlameClock& clock = team->clock;
      if (clock.Count(Participation::kWaiting) + clock.Count(Participation::kWaitingForTask) > 0) return true;
    }
    const uint32_t size = team->size.load(std::memory_order_relaxed);
    for (uint32_t i = 0; team->IsEstimated() && i < size && looked < Team::kMostCounted; ++i, ++looked) {
      const TeamMember* member = team->member(i);
      Participation participation;
      if (member != nullptr && member->ParticipationIn(team->instance, &participation) &&
          (participation == Participation::kWaiting || participation == Participation::kWaitingForTask))
        return true;
    }
    region = LiveRegion(region->parent);
  }
  return outside_regions.clock.Count(Participation::kWaiting) > 0;
}

// TakeBlame in a team whose waits are estimated. The debt of a window comes all at once. It goes to samples in code for
// which others wait.
uint64_t TakeEstimatedBlame(ThreadState* thread, OpenTask* task, RegionRecord* region) {
  if (!Works(task->membership.participation)) return 0;
  const WindowClock::Moment moment = window_clock.Read();
  const uint64_t now = moment.ns;
  if (!region->team.IsUpToDate(now))
    region->team.TryAdvance(now, moment.number, PassedTo(*region, NowFor(thread), kTriesInHandler));
  const double debt = region->team.clock.DebtNow(task->membership.participation).debt;
  if (task->debt_read >= 0 && debt > task->debt_read) {
    AddDebt(thread, task->debt_read, debt, now);
    task->debt_read = debt;
  }
  if (thread->blame.due_ns < 1) return 0;
  const uint32_t size = region->team.size.load(std::memory_order_relaxed);
  const double carried = static_cast<double>(kCarriedEstimateNs) * (size > 2 ? size - 1 : 1);
  const double taken = AnyoneWaits(region) ? thread->blame.due_ns : thread->blame.due_ns - carried;
  if (taken < 1) return 0;
  thread->blame.due_ns -= taken;
  thread->blame.worked_ns = 0;
  return static_cast<uint64_t>(taken * governor.BlameScale());
}

}  // namespace

bool IsEstimated(const OpenTask* task) { return EstimatedRegion(task) != nullptr; }

Blame TakeBlame(ThreadState* thread, RegionRef region, const ProcessorClocks& clocks) {
  const uint64_t since = thread->blame.until_ns;
  if (thread->blame.busy != 0 || since == 0) return {};
  OpenTask* task = CurrentTask(thread);
  if (RegionRecord* estimated = EstimatedRegion(task)) return {TakeEstimatedBlame(thread, task, estimated)};
  // Between two regions, the runtime and the callbacks disagree for a moment. The next sample takes the debt.
  if ((task != nullptr ? task->region : 0) != region) return {};
  double* debt_read = task != nullptr ? &task->debt_read : &thread->blame.root_debt_read;
  const Participation participation = task != nullptr ? task->membership.participation : Participation::kWorking;
  const uint64_t now = NowFor(thread);
  if (*debt_read < 0 || !Works(participation) || now <= since || !IsKnown(task)) return {};
  BlameClock::Charge charge;
  if (!ReadCharge(region, participation, now, kTriesInHandler, &charge)) return {};
  AddDebt(thread, *debt_read, charge.debt, now);
  *debt_read = charge.debt;
  // A sample stands for all work since the previous sample, and chance decides where it falls. So it takes the charge
  // of that time by the present counts, at most the debt. Code in which nobody waits takes its neighbours' debt only if
  // the debt is far larger than chance explains.
  const double wanted = charge.rate * static_cast<double>(thread->blame.worked_ns);
  const uint8_t off_processor = PartOffProcessor(thread->blame.clocks, clocks, thread->blame.worked_ns);
  const bool slept = HasSlept(thread->blame.clocks, clocks);
  thread->blame.clocks = clocks;
  thread->blame.worked_ns = 0;
  uint32_t others = 1;
  if (const RegionRecord* record = LiveRegion(region)) {
    const uint32_t size = record->team.size.load(std::memory_order_relaxed);
    if (size > 2) others = size - 1;
  }
  const double excess = thread->blame.due_ns - static_cast<double>(kCarriedPeriods * PathThresholdNs() * others);
  double taken = wanted > excess ? wanted : excess;
  if (taken > thread->blame.due_ns) taken = thread->blame.due_ns;
  const auto blame = static_cast<uint64_t>(taken);
  thread->blame.due_ns -= static_cast<double>(blame);
  return {blame, off_processor, slept};
}

}  // namespace ompprof::collect

#include "profiler/collect/ompt/waits.h"

#include <sched.h>

#include "profiler/collect/ompt/entry_points.h"
#include "profiler/collect/ompt/lock_origins.h"
#include "profiler/collect/ompt/path_here.h"
#include "profiler/collect/ompt/wait_intervals.h"
#include "profiler/collect/ompt/wait_state.h"
#include "profiler/collect/ompt/wait_stats.h"
#include "profiler/collect/os.h"
#include "profiler/collect/session.h"
#include "profiler/collect/write/writer.h"

namespace ompprof::collect {
namespace {

// The threads outside regions: workers that have left one and are in no other wait; those that the program made work,
// serially or as primaries of regions.
struct {
  BlameClock clock;   // its lock also guards the next two
  uint32_t parallel;  // regions of more than one thread, none of them inside another
  uint64_t parallel_since_ns;
  std::atomic<uint64_t> parallel_ns;         // but for what is going on
  std::atomic<uint64_t> pending_ns;          // blame that threads took with them when they ended
  std::atomic<uint64_t> collecting_from_ns;  // what was owed before this is not in the profile
} process;

constexpr uint64_t kDefaultPathNs = 5000000;

// A thread that works as long as this without a sample has slept, most likely: the kernel seldom keeps a thread from
// running for longer, and where it does the next sample is a better guess.
constexpr uint64_t kLeastSleepNs = 30000000;

// What a thread may owe, in periods of the sampling clock, before it goes to a sample that came where nobody waited.
constexpr uint64_t kCarriedPeriods = 8;

// From this many periods on a stretch of work keeps what it owes to itself.
constexpr uint64_t kLongPeriods = 8;

// A thread whose last waits for locks were shorter than this expects the next one to be.
constexpr uint64_t kShortLockWaitNs = 20000;

// Region levels for which the waiting around them is looked at.
constexpr uint32_t kMaxLevels = 16;

// As what was passed before: no clock gets further.
constexpr double kNothingIsPassed = 1e300;

// Keeps the thread's handler from what is owed while it is changed.
class BlameScope {
 public:
  explicit BlameScope(ThreadState* thread) : thread_(thread), before_(thread->blame_busy) {
    thread_->blame_busy = 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~BlameScope() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    thread_->blame_busy = before_;
  }

 private:
  ThreadState* thread_;
  sig_atomic_t before_;
};

// Without, threads have no blame clocks (blamed_until_ns stays 0, so TakeBlame finds nothing), and of their implicit
// tasks only the regions are kept.
bool WithWaits() { return session.config.waits; }

bool Collecting() { return session.collecting.load(std::memory_order_relaxed); }

// From here on a wait is worth its call path.
uint64_t PathThresholdNs() {
  const uint64_t period = session.period;
  return session.config.event[0] == '\0' && period != 0 ? period : kDefaultPathNs;
}

bool IsBarrier(uint32_t state) {
  return state >= ompt_state_wait_barrier_implicit_parallel - 1 && state < ompt_state_wait_taskwait;
}

WaitCounts* CountsOf(ThreadState* thread, const WaitKey& key) {
  if (thread->wait_stats == nullptr) thread->wait_stats = static_cast<WaitStats*>(MapFixed(sizeof(WaitStats)));
  return thread->wait_stats != nullptr ? thread->wait_stats->Find(key) : nullptr;
}

void AddWait(ThreadState* thread, const WaitKey& key, uint64_t ns, uint64_t path_ns) {
  WaitCounts* counts = CountsOf(thread, key);
  if (counts == nullptr) return;
  Add(&counts->total_ns, ns);
  Add(&counts->path_ns, path_ns);
  if (ns > counts->max_ns.load(std::memory_order_relaxed)) counts->max_ns.store(ns, std::memory_order_relaxed);
  Add(&counts->count, 1);
}

uint32_t Epoch() { return session.epoch.load(std::memory_order_relaxed); }

// A row of the profile that is no sample. False if its path cannot be had.
bool PushRow(ThreadState* thread, SampleKind kind, uint32_t state, uint64_t wait_id, uint64_t ns) {
  TaskView view;
  // A wait is in the runtime; what others waited for is the code that called it.
  const uint32_t node = kind == kWaited ? LeafHere(thread, &view) : PathHere(thread, &view);
  if (node == 0) return false;
  Sample row{};
  row.kind = kind;
  row.extra = ns;
  row.wait_id = wait_id;
  row.splice = view.splice;
  row.region = view.region;
  row.node = node;
  row.state = state + 1;
  return PushFromCallback(thread, row);
}

OpenTask* CurrentTask(ThreadState* thread) {
  return thread->task_depth > 0 && thread->task_depth <= ThreadState::kMaxTasks
             ? &thread->open_tasks[thread->task_depth - 1]
             : nullptr;
}

// The region whose team counts the thread, if it is still running.
RegionRecord* LiveRegion(RegionRef ref) {
  if (!IsCurrent(ref)) return nullptr;
  RegionRecord* record = RegionOf(ref);
  return record->live.load(std::memory_order_acquire) ? record : nullptr;
}

bool ReadClock(const BlameClock& clock, uint64_t now_ns, const BlameClock::Charge& passed, int tries,
               BlameClock::Reading* reading) {
  for (int i = 0; i < tries; ++i) {
    if (clock.Read(now_ns, passed, reading)) return true;
    if (i > 200) sched_yield();  // its owner lost its processor
  }
  return false;
}
constexpr int kTriesInHandler = 4;
constexpr int kTries = 2000;

// What a thread owes that is `doing` that in the region (0: that works outside regions): to the threads of its team;
// and to those of the teams around it, and to the process's idle threads, the share of it that falls to its team's
// working threads, each level's team being one working thread of the next. False if one of the clocks is being changed
// for too long. Async-signal-safe with few tries.
bool ReadCharge(RegionRef ref, Doing doing, uint64_t now_ns, int tries, BlameClock::Charge* charge) {
  const RegionRecord* levels[kMaxLevels];
  uint32_t count = 0;
  while (ref != 0 && count < kMaxLevels) {
    const RegionRecord* region = LiveRegion(ref);
    if (region == nullptr) break;
    levels[count++] = region;
    ref = region->parent;
  }
  BlameClock::Reading reading;
  if (!ReadClock(process.clock, now_ns, {0, 0}, tries, &reading)) return false;
  while (count > 0) {
    const RegionRecord* region = levels[--count];
    const BlameClock::Charge passed = reading.of(region->encountered);
    if (!ReadClock(region->team.clock, now_ns, passed, tries, &reading)) return false;
  }
  *charge = reading.of(doing);
  return true;
}

// What the region's team as a whole owes in the one around it.
BlameClock::Charge PassedTo(const RegionRecord& region, uint64_t now_ns) {
  BlameClock::Charge charge{0, 0};
  ReadCharge(region.parent, region.encountered, now_ns, kTries, &charge);
  return charge;
}

// What the thread has worked since `blamed_until_ns` is paid for, the clock having come from `before` to `owed`.
void Owe(ThreadState* thread, double before, double owed, uint64_t now_ns) {
  const uint64_t since = thread->blamed_until_ns;
  thread->blamed_until_ns = now_ns;
  if (since == 0 || since < process.collecting_from_ns.load(std::memory_order_relaxed) || !Collecting()) {
    thread->due_ns = 0;
    thread->worked_ns = 0;
    return;
  }
  if (before >= 0 && owed > before) thread->due_ns += owed - before;
  if (now_ns > since) thread->worked_ns += now_ns - since;
}

// The thread does something else in its team from here on.
void Change(ThreadState* thread, OpenTask* task, RegionRecord* region, Doing to, uint64_t now_ns,
            Team::Arrival* arrival = nullptr) {
  const BlameClock::Charge passed = PassedTo(*region, now_ns);
  const BlameScope scope(thread);
  const BlameClock::Reading reading = region->team.Change(task->doing, to, now_ns, passed, arrival);
  if (Works(task->doing)) Owe(thread, task->owed, reading.of(task->doing).owed, now_ns);
  task->doing = to;
  task->owed = Works(to) ? reading.of(to).owed : -1;
  thread->blamed_until_ns = Works(to) ? now_ns : 0;
}

// Blame at the region itself: at its end no frame of its code is left.
bool PushAtRegion(ThreadState* thread, const OpenTask& task, uint64_t ns) {
  if (!MarkSampled(task.region)) return false;
  const uint64_t codeptr_ra = RegionOf(task.region)->codeptr_ra;
  Sample row{};
  row.kind = kSampled;
  row.extra = ns;
  row.region = task.region;
  row.state = ompt_state_work_parallel + 1;
  if (task.thread_num != 0) {
    row.splice = task.region;
    row.node = FinishedTaskNode(thread, codeptr_ra);
  } else {
    TaskView view;
    const uint32_t creator = PathHere(thread, &view);
    row.splice = view.splice;
    row.node = creator != 0 ? ImplicitTaskNode(thread, creator, codeptr_ra) : 0;
  }
  return row.node != 0 && PushFromCallback(thread, row);
}

// What a thread owes that has gone so long without a sample that it must have slept is put where it is now. `finished`:
// the implicit task that it is at the end of.
void SettleSleep(ThreadState* thread, uint32_t state, const OpenTask* finished = nullptr) {
  const uint64_t threshold = PathThresholdNs();
  const uint64_t slept = threshold * 2 > kLeastSleepNs ? threshold * 2 : kLeastSleepNs;
  if (thread->worked_ns < slept || thread->due_ns < static_cast<double>(threshold) || !Collecting()) return;
  const BlameScope scope(thread);
  const auto due = static_cast<uint64_t>(thread->due_ns);
  if (!(finished != nullptr ? PushAtRegion(thread, *finished, due) : PushRow(thread, kSampled, state, 0, due))) return;
  thread->due_ns -= static_cast<double>(due);
  thread->worked_ns = 0;
}

// What is left of it at the end of a stretch in one region (0: none), begun at `since_ns`, that was long enough to be
// told from its neighbours: it stays there. In short ones it waits for their next sample, which is as likely in each
// as it is long.
void SettleRest(ThreadState* thread, RegionRef region, uint64_t since_ns, uint64_t now_ns) {
  const uint64_t threshold = PathThresholdNs();
  if (thread->due_ns < static_cast<double>(threshold) / 4 || now_ns < since_ns + kLongPeriods * threshold) return;
  const BlameScope scope(thread);
  const auto due = static_cast<uint64_t>(thread->due_ns);
  if (thread->blamed_sample_ns > since_ns && thread->blamed_sample.region == region) {
    if (region != 0 && !MarkSampled(region)) return;
    Sample row = thread->blamed_sample;
    row.extra = due;
    row.weight = 0;
    row.count = 0;
    if (!PushFromCallback(thread, row)) return;
  } else if (region != 0 ? !PushAtRegion(thread, *CurrentTask(thread), due)
                         : !PushRow(thread, kSampled, ompt_state_work_serial, 0, due)) {
    return;
  }
  thread->due_ns -= static_cast<double>(due);
  thread->worked_ns = 0;
}

bool IsTaskWait(uint32_t state) { return state == ompt_state_wait_taskwait || state == ompt_state_wait_taskgroup; }
Doing DoingIn(const OpenWait& wait) {
  if (wait.state == 0) return Doing::kExecutingTask;
  return IsTaskWait(wait.state) ? Doing::kWaitingForTask : Doing::kWaiting;
}

void AddIdle(int32_t more, uint64_t now_ns) {
  process.clock.Lock();
  process.clock.Advance(now_ns, 0);
  process.clock.Add(Doing::kWaiting, more);
  process.clock.Unlock();
}

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
  if (Collecting()) SettleRest(thread, task->region, region->begin_ns, now_ns);
  TeamMember* member = region->team.member(task->thread_num);
  if (member == nullptr) return;
  region->team.ArriveAtEnd(member, now_ns, UsefulSince(*thread, *task, now_ns), wait->waited_ns);
}

// And goes on, if only to execute a task.
void GoOn(ThreadState* thread, OpenWait* wait, uint64_t now_ns, bool to_task) {
  uint64_t end = now_ns;
  RegionRecord* region = LiveRegion(wait->region);
  if (wait->at_end && region == nullptr) {
    const uint64_t ended = EndOf(wait->region);
    if (ended != 0 && ended < end) end = ended;
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
    const auto depth = static_cast<uint32_t>(thread->wait_depth);  // this wait included
    to = depth > task->wait_base + 1 ? DoingIn(thread->open_waits[depth - 2]) : Doing::kWorking;
  }
  Change(thread, task, region, to, now_ns);
}

// The thread waits for no lock any more.
void StopQueueing(ThreadState* thread, uint64_t now_ns) {
  if (thread->lock_region == 0) return;
  RegionRecord* region = LiveRegion(thread->lock_region);
  OpenTask* task = CurrentTask(thread);
  if (region != nullptr && task != nullptr && task->doing == Doing::kQueueing)
    Change(thread, task, region, thread->lock_doing, now_ns);
  thread->lock_region = 0;
}

uint32_t StateOf(ompt_sync_region_t kind) { return static_cast<uint32_t>(SyncRegionState(kind)); }

}  // namespace

void RootBegins(ThreadState* thread) {
  if (thread->is_root || !WithWaits()) return;
  const uint64_t now = NowFor(thread);
  process.clock.Lock();
  process.clock.Advance(now, 0);
  process.clock.Add(Doing::kWorking, 1);
  const double owed = process.clock.Now(0).working.owed;
  process.clock.Unlock();
  const BlameScope scope(thread);
  thread->is_root = true;
  thread->root_owed = owed;
  thread->blamed_until_ns = thread->stretch_since_ns = now;
}

void RootEnds(ThreadState* thread) {
  if (!thread->is_root) return;
  const uint64_t now = NowFor(thread);
  const BlameScope scope(thread);
  thread->is_root = false;
  process.clock.Lock();
  process.clock.Advance(now, 0);
  process.clock.Add(Doing::kWorking, -1);
  const double owed = process.clock.Now(0).working.owed;
  process.clock.Unlock();
  if (thread->root_owed >= 0) Owe(thread, thread->root_owed, owed, now);
  thread->root_owed = -1;
  thread->blamed_until_ns = 0;
}

void TeamBegins(ThreadState* thread, RegionRecord* region) {
  if (!WithWaits()) return;
  const RegionRecord* parent = LiveRegion(region->parent);
  region->inside = parent != nullptr && (parent->inside || parent->team.size.load(std::memory_order_relaxed) > 1);
  region->outermost = false;
  OpenTask* task = CurrentTask(thread);
  const bool known = (task != nullptr ? task->region : 0) == region->parent;
  region->encountered = known && task != nullptr && Works(task->doing) ? task->doing : Doing::kWorking;
  BlameClock::Charge charge;
  if (!ReadCharge(region->parent, region->encountered, region->begin_ns, kTries, &charge)) {
    region->team.clock.Reset(region->begin_ns, kNothingIsPassed);
    return;
  }
  region->team.clock.Reset(region->begin_ns, charge.owed);
  if (!known || thread->blamed_until_ns == 0) return;
  // From here on what waits outside is owed by the whole new team.
  {
    const BlameScope scope(thread);
    double* owed = task != nullptr ? &task->owed : &thread->root_owed;
    Owe(thread, *owed, charge.owed, region->begin_ns);
    *owed = -1;
    thread->blamed_until_ns = 0;
  }
  SettleSleep(thread, task != nullptr ? ompt_state_work_parallel : ompt_state_work_serial);
  if (Collecting()) SettleRest(thread, task != nullptr ? task->region : 0, thread->stretch_since_ns, region->begin_ns);
}

void ImplicitTaskBegins(ThreadState* thread, RegionRef ref, uint32_t team_size, uint32_t thread_num) {
  if (!WithWaits()) {
    if (thread_num != 0) thread->task_depth = 0;  // a worker has no other
    if (thread->task_depth < ThreadState::kMaxTasks)
      thread->open_tasks[thread->task_depth] = {ref, 0, 0, team_size, thread_num, Doing::kWorking, 0, -1.0};
    ++thread->task_depth;
    return;
  }
  const uint64_t now = NowFor(thread);
  if (thread->idle_since_ns != 0) {
    AddIdle(-1, now);
    WaitedFrom(thread, ompt_state_idle, thread->idle_since_ns, now);
    if (Collecting())
      AddWait(thread, {ompt_state_idle, Epoch(), 0, 0, 0, 0},
              now > thread->idle_since_ns ? now - thread->idle_since_ns : 0, 0);
    thread->idle_since_ns = 0;
  }
  RegionRecord* region = LiveRegion(ref);
  if (region != nullptr && region->team.size.load(std::memory_order_relaxed) == 0 && team_size <= kMaxTeam &&
      region->team.Begin(team_size) && team_size > 1 && !region->inside) {
    process.clock.Lock();
    region->outermost = true;
    if (process.parallel++ == 0) process.parallel_since_ns = region->begin_ns;
    process.clock.Unlock();
  }
  const BlameScope scope(thread);
  if (thread_num != 0) thread->task_depth = 0;  // a worker has no other
  thread->blamed_until_ns = region != nullptr ? now : 0;
  thread->stretch_since_ns = region != nullptr ? region->begin_ns : now;
  // Who is late owes from the region's begin on.
  if (thread->task_depth < ThreadState::kMaxTasks)
    thread->open_tasks[thread->task_depth] = {ref,
                                              now,
                                              thread->waited_ns,
                                              team_size,
                                              thread_num,
                                              Doing::kWorking,
                                              static_cast<uint32_t>(thread->wait_depth),
                                              region != nullptr ? 0.0 : -1.0};
  ++thread->task_depth;
}

void ImplicitTaskEnds(ThreadState* thread) {
  if (thread->task_depth == 0) return;
  if (!WithWaits()) {
    --thread->task_depth;
    return;
  }
  OpenTask* task = CurrentTask(thread);
  if (task != nullptr && Works(task->doing)) {
    RegionRecord* region = LiveRegion(task->region);
    if (region != nullptr) Change(thread, task, region, Doing::kWaiting, NowFor(thread));
  }
  const BlameScope scope(thread);
  --thread->task_depth;
  thread->blamed_until_ns = 0;
  if (task == nullptr) return;
  if (task->thread_num == 0) {
    thread->wait_depth = static_cast<sig_atomic_t>(task->wait_base);
    return;
  }
  // A worker hears of this when it is next needed: it has been idle since its region's end.
  const uint64_t ended = EndOf(task->region);
  thread->idle_since_ns = ended != 0 ? ended : NowFor(thread);
}

void WaitBegins(ThreadState* thread, ompt_sync_region_t kind, uint64_t codeptr_ra) {
  const auto depth = static_cast<uint32_t>(thread->wait_depth);
  if (depth >= ThreadState::kMaxWaits) return;
  const OpenTask* task = CurrentTask(thread);
  OpenWait* wait = &thread->open_waits[depth];
  *wait = {};
  wait->state = StateOf(kind);
  wait->codeptr_ra = codeptr_ra;
  const uint64_t now = NowFor(thread);
  RegionRecord* region = task != nullptr ? LiveRegion(task->region) : nullptr;
  if (region != nullptr) {
    wait->region = task->region;
    wait->region_codeptr_ra = region->codeptr_ra;
    // libomp before 15 says "implicit" of every barrier that is; the one at the region's end has the region's address
    // or none.
    wait->at_end =
        wait->state == ompt_state_wait_barrier_implicit_parallel ||
        (wait->state == ompt_state_wait_barrier_implicit && (codeptr_ra == 0 || codeptr_ra == region->codeptr_ra));
    if (wait->at_end) {
      wait->state = ompt_state_wait_barrier_implicit_parallel;
      wait->codeptr_ra = region->codeptr_ra;
    }
  }
  Team::Arrival arrival{wait->at_end, false, 0};
  StopWorking(thread, wait, now, IsBarrier(wait->state) ? &arrival : nullptr);
  if (!arrival.last || !Collecting()) return;
  WaitCounts* counts = CountsOf(thread, {wait->state, Epoch(), wait->codeptr_ra, wait->region_codeptr_ra, 0, 0});
  if (counts == nullptr) return;
  Add(&counts->last_count, 1);
  Add(&counts->last_by_ns, arrival.by_ns);
}

void WaitEnds(ThreadState* thread) {
  const auto depth = static_cast<uint32_t>(thread->wait_depth);
  if (depth == 0 || depth > ThreadState::kMaxWaits) return;
  OpenWait* wait = &thread->open_waits[depth - 1];
  if (wait->state == 0) return;
  GoOn(thread, wait, NowFor(thread), /*to_task=*/false);
  if (!Collecting()) return;
  uint64_t path_ns = 0;
  // The wait at a region's end is in the profile by the primary's hand, for all threads (RegionEnds).
  if (wait->waited_ns >= PathThresholdNs() && !wait->at_end &&
      PushRow(thread, kWaited, wait->state, 0, wait->waited_ns))
    path_ns = wait->waited_ns;
  AddWait(thread, {wait->state, Epoch(), wait->codeptr_ra, wait->region_codeptr_ra, 0, 0}, wait->waited_ns, path_ns);
}

namespace {

// An explicit task begins or ends on a thread that does not wait.
void WorkOn(ThreadState* thread, Doing to) {
  OpenTask* task = CurrentTask(thread);
  RegionRecord* region =
      task != nullptr && Works(task->doing) && task->doing != to ? LiveRegion(task->region) : nullptr;
  if (region != nullptr) Change(thread, task, region, to, NowFor(thread));
}

}  // namespace

void TaskStarts(ThreadState* thread) {
  const auto depth = static_cast<uint32_t>(thread->wait_depth);
  if (depth > ThreadState::kMaxWaits) return;
  OpenWait* wait = depth != 0 ? &thread->open_waits[depth - 1] : nullptr;
  if (wait != nullptr && wait->since_ns != 0)
    GoOn(thread, wait, NowFor(thread), /*to_task=*/true);
  else
    WorkOn(thread, Doing::kExecutingTask);
}

void TaskStops(ThreadState* thread) {
  const auto depth = static_cast<uint32_t>(thread->wait_depth);
  if (depth > ThreadState::kMaxWaits) return;
  const OpenTask* task = CurrentTask(thread);
  OpenWait* wait = task != nullptr && depth > task->wait_base ? &thread->open_waits[depth - 1] : nullptr;
  if (wait != nullptr && wait->state != 0 && wait->since_ns == 0)
    StopWorking(thread, wait, NowFor(thread), nullptr);
  else if (wait == nullptr)
    WorkOn(thread, Doing::kWorking);
}

void LockWanted(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra) {
  LockGivenUp(thread);  // if nothing more was heard of the wait before
  thread->lock_codeptr_ra = codeptr_ra;
  if (kind != ompt_mutex_ordered && lock_table.AcquireAlone(wait_id, &thread->ticket)) return;
  const uint64_t now = NowFor(thread);
  thread->ticket = lock_table.Acquire(wait_id, now);
  // Where locks are waited for a moment only, the team's line is better left alone: the thread goes on counting as one
  // that works.
  if (!thread->ticket.contended || thread->lock_wait_ns < kShortLockWaitNs) return;
  OpenTask* task = CurrentTask(thread);
  RegionRecord* region = task != nullptr && Works(task->doing) ? LiveRegion(task->region) : nullptr;
  if (region == nullptr) return;
  thread->lock_region = task->region;
  thread->lock_doing = task->doing;
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

void LockTaken(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id) {
  LockTable::Ticket ticket = thread->ticket;
  thread->ticket.slot = 0;
  // A test that succeeded, which waits for nothing.
  const bool tested = ticket.slot == 0;
  if (tested && !lock_table.AcquireAlone(wait_id, &ticket)) ticket = lock_table.Acquire(wait_id, NowFor(thread));
  const bool alone = lock_table.AcquiredAlone(ticket);
  ThreadState::HeldLock* own = nullptr;
  for (auto& held : thread->held) {
    if (held.wait_id != 0) continue;
    held = {wait_id, thread->lock_codeptr_ra, ticket.slot, 0, 0};
    own = &held;
    break;
  }
  if (alone) return;
  const uint64_t now = tested ? ticket.since_ns : NowFor(thread);
  uint32_t turn = 0;
  const uint64_t waited = lock_table.Acquired(ticket, now, &turn);
  if (own != nullptr) own->turn = turn, own->since_ns = now;
  StopQueueing(thread, now);
  thread->lock_wait_ns -= thread->lock_wait_ns / 8;
  if (waited > thread->lock_wait_ns) thread->lock_wait_ns = waited;
  if (waited == 0) return;
  thread->waited_ns += waited;
  if (!Collecting()) return;
  const auto state = static_cast<uint32_t>(MutexWaitState(kind));
  WaitedFrom(thread, state, now - waited, now, wait_id);
  uint64_t path_ns = 0;
  if (waited >= PathThresholdNs() && PushRow(thread, kWaited, state, wait_id, waited)) path_ns = waited;
  const OpenTask* task = CurrentTask(thread);
  const RegionRecord* region = task != nullptr ? LiveRegion(task->region) : nullptr;
  AddWait(thread,
          {state, Epoch(), thread->lock_codeptr_ra, region != nullptr ? region->codeptr_ra : 0, wait_id, 0,
           lock_origins.Find(wait_id)},
          waited, path_ns);
}

void LockReleased(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra) {
  uint64_t acquired_at = 0;
  uint32_t slot = 0;
  uint32_t turn = 0;
  uint64_t since = 0;
  for (auto& held : thread->held) {
    if (held.wait_id != wait_id) continue;
    acquired_at = held.codeptr_ra;
    slot = held.slot;
    turn = held.turn;
    since = held.since_ns;
    held.wait_id = 0;
    break;
  }
  if (lock_table.ReleaseAlone(wait_id, slot)) return;
  const uint64_t now = NowFor(thread);
  const uint64_t charge = lock_table.Release(wait_id, now, turn);
  if (charge == 0 || !Collecting()) return;
  const auto state = static_cast<uint32_t>(MutexWaitState(kind));
  const OpenTask* task = CurrentTask(thread);
  RegionRecord* region = task != nullptr ? LiveRegion(task->region) : nullptr;
  WaitCounts* counts =
      CountsOf(thread, {state, Epoch(), codeptr_ra, region != nullptr ? region->codeptr_ra : 0, wait_id,
                        acquired_at != 0 ? acquired_at : codeptr_ra, lock_origins.Find(wait_id)});
  if (counts == nullptr) return;
  Add(&counts->total_ns, charge);
  if (charge > counts->max_ns.load(std::memory_order_relaxed)) counts->max_ns.store(charge, std::memory_order_relaxed);
  if (since != 0) {
    Add(&counts->held_count, 1);
    Add(&counts->held_ns, now - since);
  }
  counts->pending_ns += charge;
  // At the path of the release, which is the holder's work and no wait.
  const uint32_t working = region != nullptr ? ompt_state_work_parallel : ompt_state_work_serial;
  if (counts->pending_ns >= PathThresholdNs() && PushRow(thread, kLockBlamed, working, wait_id, counts->pending_ns)) {
    Add(&counts->path_ns, counts->pending_ns);
    counts->pending_ns = 0;
  }
  Add(&counts->count, 1);
}

bool RegionEnds(ThreadState* thread, RegionRecord* region, uint64_t now_ns, RegionCounts* counts, uint64_t* wait_ns) {
  MarkEnd(region, now_ns);
  *wait_ns = 0;
  if (!WithWaits()) return false;
  const uint32_t size = region->actual_team_size.load(std::memory_order_relaxed);
  const BlameClock::Charge passed = PassedTo(*region, now_ns);
  const BlameClock::Totals totals = region->team.End(now_ns, passed);
  if (size > 1 && region->team.size.load(std::memory_order_relaxed) != 0) {
    process.clock.Lock();
    process.clock.Advance(now_ns, 0);
    process.clock.Add(Doing::kWaiting, static_cast<int32_t>(size - 1 - region->team.gone));
    if (region->outermost && --process.parallel == 0 && now_ns > process.parallel_since_ns)
      Add(&process.parallel_ns, now_ns - process.parallel_since_ns);
    process.clock.Unlock();
  }
  {
    // What waits outside is the encountering thread's own again.
    const BlameScope scope(thread);
    OpenTask* task = CurrentTask(thread);
    const bool known = (task != nullptr ? task->region : 0) == region->parent && (task != nullptr || thread->is_root);
    if (known) {
      (task != nullptr ? task->owed : thread->root_owed) = passed.owed;
      thread->blamed_until_ns = now_ns;
      thread->stretch_since_ns = now_ns;
    }
  }
  uint64_t wait = 0;
  uint64_t longest = 0;
  uint64_t useful = 0;
  uint64_t useful_max = 0;
  uint64_t useful_min = UINT64_MAX;
  uint32_t seen = 0;
  for (uint32_t i = 0; i < size; ++i) {
    const TeamMember* member = region->team.member(i);
    if (member == nullptr) break;
    if (!region->team.IsAtEnd(*member)) continue;
    const uint64_t arrived = member->arrived_ns.load(std::memory_order_relaxed);
    const uint64_t waited =
        (now_ns > arrived ? now_ns - arrived : 0) + member->waited_ns.load(std::memory_order_relaxed);
    const uint64_t worked = member->useful_ns.load(std::memory_order_relaxed);
    wait += waited;
    if (waited > longest) longest = waited;
    useful += worked;
    if (worked > useful_max) useful_max = worked;
    if (worked < useful_min) useful_min = worked;
    ++seen;
  }
  *wait_ns = wait;
  if (counts != nullptr && seen != 0) {
    Add(&counts->end_wait_ns, wait);
    Add(&counts->useful_ns, useful);
    Add(&counts->useful_max_ns, useful_max);
    Add(&counts->useful_min_ns, useful_min);
    Add(&counts->team_ns, (now_ns - region->begin_ns) * size);
    Add(&counts->partial_ns, totals.partial_ns);
    Add(&counts->sync_wait_ns, totals.waited_ns);
    Add(&counts->outer_blame_ns, totals.passed_ns);
    Add(&counts->unblamed_ns, totals.unblamed_ns);
  }
  return longest >= PathThresholdNs();
}

namespace {

// The waits that the thread is inside of end now. True if it is a worker without a region.
bool EndOpenWaits(ThreadState* thread, uint64_t now_ns, bool counted) {
  uint64_t idle_since = thread->idle_since_ns;
  thread->idle_since_ns = 0;
  const auto depth = static_cast<uint32_t>(thread->wait_depth);
  const OpenWait* wait = depth != 0 && depth <= ThreadState::kMaxWaits ? &thread->open_waits[depth - 1] : nullptr;
  const OpenTask* task = CurrentTask(thread);
  if (idle_since == 0 && task != nullptr && task->thread_num != 0 && LiveRegion(task->region) == nullptr)
    idle_since = EndOf(task->region);
  if (counted && wait != nullptr && wait->state != 0 && wait->since_ns != 0) {
    const uint64_t end = wait->at_end && idle_since != 0 ? idle_since : now_ns;
    if (end > wait->since_ns)
      AddWait(thread, {wait->state, Epoch(), wait->codeptr_ra, wait->region_codeptr_ra, 0, 0},
              wait->waited_ns + end - wait->since_ns, 0);
    CutInterval(thread, wait->state, wait->since_ns, end, wait->at_end ? wait->region : 0);
  }
  if (counted) CutInterval(thread, ompt_state_idle, idle_since, now_ns);
  if (counted && idle_since != 0 && now_ns > idle_since)
    AddWait(thread, {ompt_state_idle, Epoch(), 0, 0, 0, 0}, now_ns - idle_since, 0);
  return idle_since != 0;
}

}  // namespace

void EndWaits(ThreadState* thread, uint64_t now_ns) {
  if (!WithWaits()) {
    thread->task_depth = 0;
    return;
  }
  process.pending_ns.fetch_add(static_cast<uint64_t>(thread->due_ns), std::memory_order_relaxed);
  thread->due_ns = 0;
  const OpenTask* task = CurrentTask(thread);
  RegionRecord* region = task != nullptr && task->thread_num != 0 ? LiveRegion(task->region) : nullptr;
  if (region == nullptr || !region->team.Leave()) {
    if (EndOpenWaits(thread, now_ns, Collecting())) AddIdle(-1, now_ns);
  } else {
    EndOpenWaits(thread, now_ns, Collecting());
  }
  thread->task_depth = 0;
  thread->wait_depth = 0;
}

void CutWaits(ThreadState* thread, uint64_t now_ns) {
  if (!WithWaits()) return;
  EndOpenWaits(thread, now_ns, true);
  OpenTask* task = CurrentTask(thread);
  double* owed = task != nullptr ? &task->owed : &thread->root_owed;
  BlameClock::Charge charge;
  if (thread->blamed_until_ns == 0 || *owed < 0 ||
      !ReadCharge(task != nullptr ? task->region : 0, task != nullptr ? task->doing : Doing::kWorking, now_ns, kTries,
                  &charge))
    return;
  const BlameScope scope(thread);
  if (charge.owed > *owed) thread->due_ns += charge.owed - *owed;
  *owed = -1;
  // The path here is that of the program's end. What is not given stays the footer's.
  if (thread == this_thread && task == nullptr && thread->blamed_sample_ns > thread->stretch_since_ns)
    SettleRest(thread, 0, thread->stretch_since_ns, now_ns);
}

void CollectingBegins(uint64_t now_ns) { process.collecting_from_ns.store(now_ns, std::memory_order_relaxed); }

void ForgetWaits() {
  process.clock.Reset(0, 0);
  process.parallel = 0;
  process.parallel_ns.store(0, std::memory_order_relaxed);
  process.pending_ns.store(0, std::memory_order_relaxed);
}

WaitTotals TotalsOfWaits(uint64_t begin_ns, uint64_t now_ns) {
  if (!WithWaits()) return {};
  process.clock.Lock();
  process.clock.Advance(now_ns, 0);
  const BlameClock::Totals sums = process.clock.Sums();
  uint64_t parallel = process.parallel_ns.load(std::memory_order_relaxed);
  if (process.parallel > 0 && now_ns > process.parallel_since_ns) parallel += now_ns - process.parallel_since_ns;
  process.clock.Unlock();
  const uint64_t all = now_ns > begin_ns ? now_ns - begin_ns : 0;
  return {parallel, all > parallel ? all - parallel : 0, sums.waited_ns, sums.unblamed_ns,
          process.pending_ns.load(std::memory_order_relaxed)};
}

void RememberBlamed(ThreadState* thread, const Sample& sample) {
  thread->blamed_sample = sample;
  thread->blamed_sample_ns = thread->blamed_until_ns;
}

uint64_t TakeBlame(ThreadState* thread, RegionRef region) {
  const uint64_t since = thread->blamed_until_ns;
  if (thread->blame_busy != 0 || since == 0) return 0;
  OpenTask* task = CurrentTask(thread);
  // Between two regions the runtime and the callbacks are not of one mind for a moment: the next sample takes it.
  if ((task != nullptr ? task->region : 0) != region) return 0;
  double* owed = task != nullptr ? &task->owed : &thread->root_owed;
  const Doing doing = task != nullptr ? task->doing : Doing::kWorking;
  const uint64_t now = NowFor(thread);
  if (*owed < 0 || !Works(doing) || now <= since) return 0;
  BlameClock::Charge charge;
  if (!ReadCharge(region, doing, now, kTriesInHandler, &charge)) return 0;
  Owe(thread, *owed, charge.owed, now);
  *owed = charge.owed;
  // A sample stands for all that was worked since the one before it, and where it fell is a matter of chance: it takes
  // what that time is worth by the counts of now, and no more than is owed. Code in which nobody waits is charged for
  // its neighbours only if far more is owed than chance explains.
  const double wanted = charge.rate * static_cast<double>(thread->worked_ns);
  thread->worked_ns = 0;
  uint32_t others = 1;
  if (const RegionRecord* record = LiveRegion(region)) {
    const uint32_t size = record->team.size.load(std::memory_order_relaxed);
    if (size > 2) others = size - 1;
  }
  const double excess = thread->due_ns - static_cast<double>(kCarriedPeriods * PathThresholdNs() * others);
  double taken = wanted > excess ? wanted : excess;
  if (taken > thread->due_ns) taken = thread->due_ns;
  const auto blame = static_cast<uint64_t>(taken);
  thread->due_ns -= static_cast<double>(blame);
  return blame;
}

}  // namespace ompprof::collect

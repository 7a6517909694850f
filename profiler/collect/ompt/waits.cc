#include "profiler/collect/ompt/waits.h"

#include "profiler/collect/ompt/entry_points.h"
#include "profiler/collect/ompt/lock_origins.h"
#include "profiler/collect/ompt/path_here.h"
#include "profiler/collect/ompt/wait_state.h"
#include "profiler/collect/ompt/wait_stats.h"
#include "profiler/collect/os.h"
#include "profiler/collect/session.h"
#include "profiler/collect/write/writer.h"

namespace ompprof::collect {
namespace {

// Workers that have been in a region and are in none; threads of the program that work, serially or as primaries of
// regions. A region's primary counts its workers out and in again: a counter that each of them wrote would go from
// processor to processor.
struct alignas(64) {
  std::atomic<int32_t> idle;
  std::atomic<int32_t> roots;
} process;

constexpr uint64_t kDefaultPathNs = 5000000;

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

// The waiting threads that one working thread of the region answers for.
double BlameShare(RegionRef ref) {
  // The team's waiting threads are charged to those that work in it; those of the teams around it, and the process's
  // idle threads, to the threads that work there, of which the whole inner team is one.
  double share = 1;
  double blame = 0;
  for (int level = 0; ref != 0 && level < 16; ++level) {
    RegionRecord* region = LiveRegion(ref);
    if (region == nullptr) break;
    const auto size = static_cast<int32_t>(region->actual_team_size.load(std::memory_order_relaxed));
    const int32_t waiting = region->team.waiting.load(std::memory_order_relaxed);
    const int32_t queueing = region->team.Queueing(static_cast<uint32_t>(size));
    const int32_t working = size - waiting - queueing;
    const int32_t sharing =
        working > 1 ? working : 1;  // this thread is one of them, whatever the counters say just now
    if (waiting > 0) blame += share * waiting / sharing;
    share /= sharing;
    ref = region->parent;
  }
  const int32_t idle = process.idle.load(std::memory_order_relaxed);
  const int32_t roots = process.roots.load(std::memory_order_relaxed);
  if (idle > 0) blame += share * idle / (roots > 1 ? roots : 1);
  return blame;
}

uint64_t UsefulSince(const ThreadState& thread, const OpenTask& task, uint64_t now_ns) {
  const uint64_t inside = now_ns > task.begin_ns ? now_ns - task.begin_ns : 0;
  const uint64_t waited = thread.waited_ns - task.waited_before_ns;
  return inside > waited ? inside - waited : 0;
}

// What the thread has worked since its last sample is blamed on where it is now, if that is long: it slept, or was kept
// from running.
void SettleBlame(ThreadState* thread, uint64_t now_ns, RegionRef ref) {
  const uint64_t since = thread->blamed_until_ns;
  if (since == 0 || now_ns < since + PathThresholdNs() || !Collecting()) return;
  const uint64_t blame = TakeBlame(thread, ref);
  if (blame != 0) PushRow(thread, kSampled, ref != 0 ? ompt_state_work_parallel : ompt_state_work_serial, 0, blame);
}

// The thread stops working at `now`: for its team, and if this is the region's end for the region's sums.
void StopWorking(ThreadState* thread, OpenWait* wait, uint64_t now_ns) {
  SettleBlame(thread, now_ns, wait->region);
  wait->since_ns = now_ns;
  RegionRecord* region = LiveRegion(wait->region);
  if (region == nullptr) return;
  region->team.Wait(now_ns);
  const OpenTask* task = CurrentTask(thread);
  if (!wait->at_end || task == nullptr) return;
  TeamMember* member = region->team.member(task->thread_num);
  if (member == nullptr) return;
  region->team.ArriveAtEnd(member, now_ns, UsefulSince(*thread, *task, now_ns));
}

// And goes on.
void GoOn(ThreadState* thread, OpenWait* wait) {
  const RegionRecord* region = LiveRegion(wait->region);
  // A thread that hears late of its region's end has been idle since, and need not ask for the time.
  uint64_t end = wait->at_end && region == nullptr ? EndOf(wait->region) : 0;
  const bool idle = end != 0;
  if (!idle) end = NowFor(thread);
  const uint64_t ns = wait->since_ns != 0 && end > wait->since_ns ? end - wait->since_ns : 0;
  wait->waited_ns += ns;
  thread->waited_ns += ns;
  wait->since_ns = 0;
  thread->blamed_until_ns = idle ? 0 : end;
  if (region != nullptr) RegionOf(wait->region)->team.Resume(end);
}

// The thread waits for no lock any more.
void StopQueueing(ThreadState* thread) {
  if (thread->queueing_as == nullptr) return;
  thread->queueing_as->queueing_in.store(0, std::memory_order_relaxed);
  thread->queueing_as = nullptr;
}

uint32_t StateOf(ompt_sync_region_t kind) { return static_cast<uint32_t>(SyncRegionState(kind)); }

}  // namespace

void RootBegins() { process.roots.fetch_add(1, std::memory_order_relaxed); }
void RootEnds() { process.roots.fetch_sub(1, std::memory_order_relaxed); }
void ForgetOtherThreads(bool root) {
  process.idle.store(0, std::memory_order_relaxed);
  process.roots.store(root ? 1 : 0, std::memory_order_relaxed);
}

void ImplicitTaskBegins(ThreadState* thread, RegionRef ref, uint32_t team_size, uint32_t thread_num) {
  const uint64_t now = NowFor(thread);
  if (thread->idle_since_ns != 0) {
    if (Collecting())
      AddWait(thread, {ompt_state_idle, Epoch(), 0, 0, 0, 0},
              now > thread->idle_since_ns ? now - thread->idle_since_ns : 0, 0);
    thread->idle_since_ns = 0;
  }
  if (thread_num != 0) {
    thread->task_depth = 0;  // a worker has no other
    if (!thread->in_pool) {
      thread->in_pool = true;
      process.idle.fetch_add(1, std::memory_order_relaxed);
    }
  } else if (team_size > 1 && LiveRegion(ref) != nullptr) {
    process.idle.fetch_sub(static_cast<int32_t>(team_size) - 1, std::memory_order_relaxed);
  }
  SettleBlame(thread, now, 0);
  thread->blamed_until_ns = now;
  if (thread->task_depth < ThreadState::kMaxTasks)
    thread->open_tasks[thread->task_depth] = {ref, now, thread->waited_ns, team_size, thread_num};
  ++thread->task_depth;
}

void ImplicitTaskEnds(ThreadState* thread) {
  if (thread->task_depth == 0) return;
  const OpenTask* task = CurrentTask(thread);
  --thread->task_depth;
  if (task == nullptr || task->thread_num == 0) return;
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
    uint64_t by = 0;
    if (IsBarrier(wait->state) && !wait->at_end && region->team.Arrive(task->team_size, now, &by) && Collecting()) {
      WaitCounts* counts = CountsOf(thread, {wait->state, Epoch(), wait->codeptr_ra, wait->region_codeptr_ra, 0, 0});
      if (counts != nullptr) {
        Add(&counts->last_count, 1);
        Add(&counts->last_by_ns, by);
      }
    }
  }
  StopWorking(thread, wait, now);
}

void WaitEnds(ThreadState* thread) {
  const auto depth = static_cast<uint32_t>(thread->wait_depth);
  if (depth == 0 || depth > ThreadState::kMaxWaits) return;
  OpenWait* wait = &thread->open_waits[depth - 1];
  if (wait->state == 0) return;
  GoOn(thread, wait);
  if (!Collecting()) return;
  uint64_t path_ns = 0;
  // The wait at a region's end is in the profile by the primary's hand, for all threads (RegionEnds).
  if (wait->waited_ns >= PathThresholdNs() && !wait->at_end &&
      PushRow(thread, kWaited, wait->state, 0, wait->waited_ns))
    path_ns = wait->waited_ns;
  AddWait(thread, {wait->state, Epoch(), wait->codeptr_ra, wait->region_codeptr_ra, 0, 0}, wait->waited_ns, path_ns);
}

void TaskStarts(ThreadState* thread) {
  const auto depth = static_cast<uint32_t>(thread->wait_depth);
  if (depth == 0 || depth > ThreadState::kMaxWaits) return;
  OpenWait* wait = &thread->open_waits[depth - 1];
  if (wait->since_ns != 0) GoOn(thread, wait);
}

void TaskStops(ThreadState* thread) {
  const auto depth = static_cast<uint32_t>(thread->wait_depth);
  if (depth == 0 || depth > ThreadState::kMaxWaits) return;
  OpenWait* wait = &thread->open_waits[depth - 1];
  if (wait->state != 0 && wait->since_ns == 0) StopWorking(thread, wait, NowFor(thread));
}

void LockWanted(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra) {
  LockGivenUp(thread);  // if nothing more was heard of the wait before
  thread->lock_codeptr_ra = codeptr_ra;
  if (kind != ompt_mutex_ordered && lock_table.AcquireAlone(wait_id, &thread->ticket)) return;
  const uint64_t now = NowFor(thread);
  thread->ticket = lock_table.Acquire(wait_id, now);
  if (!thread->ticket.contended) return;
  const OpenTask* task = CurrentTask(thread);
  SettleBlame(thread, now, task != nullptr ? task->region : 0);
  RegionRecord* region = task != nullptr ? LiveRegion(task->region) : nullptr;
  if (region == nullptr) return;
  thread->queueing_as = region->team.member(task->thread_num);
  if (thread->queueing_as != nullptr)
    thread->queueing_as->queueing_in.store(region->team.instance, std::memory_order_relaxed);
}

void LockGivenUp(ThreadState* thread) {
  if (thread->ticket.slot == 0) return;
  lock_table.GiveUp(thread->ticket);
  thread->ticket = {};
  StopQueueing(thread);
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
    held = {wait_id, thread->lock_codeptr_ra, ticket.slot, 0};
    own = &held;
    break;
  }
  if (alone) return;
  const uint64_t now = tested ? ticket.since_ns : NowFor(thread);
  uint32_t turn = 0;
  const uint64_t waited = lock_table.Acquired(ticket, now, &turn);
  if (own != nullptr) own->turn = turn;
  StopQueueing(thread);
  if (waited == 0) return;
  thread->waited_ns += waited;
  thread->blamed_until_ns = now;
  if (!Collecting()) return;
  const auto state = static_cast<uint32_t>(MutexWaitState(kind));
  uint64_t path_ns = 0;
  if (waited >= PathThresholdNs() && PushRow(thread, kWaited, state, wait_id, waited)) path_ns = waited;
  const OpenTask* task = CurrentTask(thread);
  const RegionRecord* region = task != nullptr ? LiveRegion(task->region) : nullptr;
  AddWait(thread, {state, Epoch(), thread->lock_codeptr_ra, region != nullptr ? region->codeptr_ra : 0, wait_id, 0,
                   lock_origins.Find(wait_id)},
          waited, path_ns);
}

void LockReleased(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra) {
  uint64_t acquired_at = 0;
  uint32_t slot = 0;
  uint32_t turn = 0;
  for (auto& held : thread->held) {
    if (held.wait_id != wait_id) continue;
    acquired_at = held.codeptr_ra;
    slot = held.slot;
    turn = held.turn;
    held.wait_id = 0;
    break;
  }
  if (lock_table.ReleaseAlone(wait_id, slot)) return;
  const uint64_t charge = lock_table.Release(wait_id, NowFor(thread), turn);
  if (charge == 0 || !Collecting()) return;
  const auto state = static_cast<uint32_t>(MutexWaitState(kind));
  const OpenTask* task = CurrentTask(thread);
  RegionRecord* region = task != nullptr ? LiveRegion(task->region) : nullptr;
  WaitCounts* counts = CountsOf(thread, {state, Epoch(), codeptr_ra, region != nullptr ? region->codeptr_ra : 0,
                                         wait_id, acquired_at != 0 ? acquired_at : codeptr_ra, lock_origins.Find(wait_id)});
  if (counts == nullptr) return;
  Add(&counts->total_ns, charge);
  if (charge > counts->max_ns.load(std::memory_order_relaxed)) counts->max_ns.store(charge, std::memory_order_relaxed);
  counts->pending_ns += charge;
  // At the path of the release, which is the holder's work and no wait.
  const uint32_t working = region != nullptr ? ompt_state_work_parallel : ompt_state_work_serial;
  if (counts->pending_ns >= PathThresholdNs() && PushRow(thread, kLockBlamed, working, wait_id, counts->pending_ns)) {
    Add(&counts->path_ns, counts->pending_ns);
    counts->pending_ns = 0;
  }
  Add(&counts->count, 1);
}

bool RegionEnds(RegionRecord* region, uint64_t now_ns, RegionCounts* counts, uint64_t* wait_ns) {
  MarkEnd(region, now_ns);
  const uint32_t size = region->actual_team_size.load(std::memory_order_relaxed);
  if (size > 1) process.idle.fetch_add(static_cast<int32_t>(size) - 1, std::memory_order_relaxed);
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
    const uint64_t waited = now_ns > arrived ? now_ns - arrived : 0;
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
    uint64_t partial = region->team.partial_ns.load(std::memory_order_relaxed);
    const uint64_t since = region->team.partial_since_ns.load(std::memory_order_relaxed);
    if (region->team.waiting.load(std::memory_order_relaxed) > 0 && since != 0 && now_ns > since)
      partial += now_ns - since;
    Add(&counts->partial_ns, partial);
  }
  return longest >= PathThresholdNs();
}

void EndWaits(ThreadState* thread, uint64_t now_ns) {
  if (thread->in_pool) process.idle.fetch_sub(1, std::memory_order_relaxed);
  thread->in_pool = false;
  if (thread->idle_since_ns == 0) return;
  AddWait(thread, {ompt_state_idle, Epoch(), 0, 0, 0, 0},
          now_ns > thread->idle_since_ns ? now_ns - thread->idle_since_ns : 0, 0);
  thread->idle_since_ns = 0;
}

uint64_t TakeBlame(ThreadState* thread, RegionRef region) {
  const uint64_t now = NowFor(thread);
  const uint64_t since = thread->blamed_until_ns;
  thread->blamed_until_ns = now;
  if (since == 0 || now <= since) return 0;
  return static_cast<uint64_t>(BlameShare(region) * static_cast<double>(now - since));
}

}  // namespace ompprof::collect

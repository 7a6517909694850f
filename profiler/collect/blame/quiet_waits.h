// The fast path for events of waits in an estimated team while the window clock stands still. Nearly all such events
// take this path. A thread publishes its participation, and keeps its stack and its number of waits. The thread reads
// no clock and writes no line that another thread writes. A result of false means that the event must take the long way
// (sync_waits.cc).
//
// sync_waits.cc calls these functions in the thread's own OMPT callbacks.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_QUIET_WAITS_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_QUIET_WAITS_H_

#include <stdint.h>

#include "profiler/collect/blame/debt.h"
#include "profiler/collect/blame/wait_rows.h"
#include "profiler/collect/blame/wait_state.h"
#include "profiler/collect/blame/window_clock.h"
#include "profiler/collect/thread/thread_state.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {

struct Quiet {
  OpenTask* task;  // NULL: the thread cannot take the fast path
  RegionRecord* region;
  uint64_t now;  // by the window clock
};

// Finds out the long way whether the fast path is open.
Quiet LookForQuiet(ThreadState* thread);

inline Quiet QuietHere(ThreadState* thread) {
  OpenTask* task = CurrentTask(thread);
  if (__builtin_expect(task == nullptr || task->quiet_stamp != window_clock.stamp(), false))
    return LookForQuiet(thread);
  return {task, RegionOf(task->region), window_clock.last_end_ns()};
}

// The thread changes its participation, and no other thread need know.
inline void DoQuietly(ThreadState* thread, const Quiet& quiet, Participation to) {
  OpenTask* task = quiet.task;
  // The handler charges nothing while the participation and the debt do not belong together.
  task->debt_read = -1;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  task->membership.participation = to;
  task->membership.told_ns = quiet.now;
  task->Publish(to);
  thread->blame.until_ns = Works(to) ? quiet.now : 0;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (Works(to)) task->debt_read = quiet.region->team.clock.DebtNow(to).debt;
}

// The participation of a thread with this innermost entry. NULL: there is no entry.
inline Participation ParticipationIn(const OpenWait* entry) {
  if (entry == nullptr) return Participation::kWorking;
  if (entry->state == OmptState::kNone) return Participation::kExecutingTask;
  return IsTaskWait(entry->state) ? Participation::kWaitingForTask : Participation::kWaiting;
}

// Finds the counts of the wait's place, most likely among the last places.
inline WaitCounts* CountsOfPlace(ThreadState* thread, const OpenWait& wait) {
  WaitCounts** remembered = &thread->waiting.places[wait.codeptr_ra / 4 % ThreadWaits::kPlaces];
  WaitCounts* counts = *remembered;
  if (counts != nullptr && counts->key.codeptr_ra == wait.codeptr_ra && counts->key.state == wait.state &&
      counts->key.region == wait.region_codeptr_ra && counts->key.epoch == Epoch())
    return counts;
  counts = CountsOf(thread, {wait.state, Epoch(), wait.codeptr_ra, wait.region_codeptr_ra, 0, 0});
  *remembered = counts;
  return counts;
}

// A wait in `state` begins. Not for the wait at the region's end.
inline bool BeginQuietly(ThreadState* thread, OmptState state, uint8_t kind, const void* task, uint64_t codeptr_ra) {
  const Quiet quiet = QuietHere(thread);
  OpenWait* wait = quiet.task != nullptr ? thread->waiting.stack.NextPlace() : nullptr;
  if (wait == nullptr) return false;
  wait->since_ns = quiet.now;
  wait->waited_ns = 0;
  wait->codeptr_ra = codeptr_ra;
  wait->region_codeptr_ra = quiet.region->codeptr_ra;
  wait->region = quiet.task->region;
  wait->state = state;
  wait->at_end = false;
  wait->estimated = true;
  wait->windows = window_clock.windows();
  wait->task = task;
  DoQuietly(thread, quiet, ParticipationIn(wait));
  thread->waiting.stack.Push(kind);
  thread->waiting.costs.Unobserved(IsTaskWait(state) ? fields::kClassTaskWait : fields::kClassBarrier,
                                   2);  // its end as well
  return true;
}

// The innermost wait ends. True only if it began on the fast path, or after the last window.
inline bool EndQuietly(ThreadState* thread, const OpenWait& wait) {
  if (!wait.estimated || wait.at_end || wait.waited_ns != 0 || !Collecting()) return false;
  const Quiet quiet = QuietHere(thread);
  if (quiet.task == nullptr || wait.since_ns != quiet.now) return false;
  if (WaitCounts* counts = CountsOfPlace(thread, wait)) Add(&counts->estimated_count, 1);
  thread->waiting.stack.Pop();
  DoQuietly(thread, quiet, ParticipationIn(thread->waiting.stack.InnermostAbove(quiet.task->wait_base)));
  return true;
}

// The thread begins to execute a task, inside the innermost wait or not.
inline bool SwitchQuietly(ThreadState* thread, OpenWait* innermost, const void* prior, const void* next) {
  if (innermost == nullptr && thread->waiting.stack.depth() != 0) return false;  // not kept
  const Quiet quiet = QuietHere(thread);
  if (quiet.task == nullptr) return false;
  const bool in_wait = innermost != nullptr && innermost->state != OmptState::kNone;
  if (in_wait && (!innermost->estimated || innermost->since_ns != quiet.now)) return false;
  OpenWait* entry = thread->waiting.stack.NextPlace();
  if (entry == nullptr) return false;
  if (in_wait) innermost->since_ns = 0;
  entry->since_ns = 0;
  entry->state = OmptState::kNone;
  entry->estimated = true;
  entry->task = next;
  entry->within = prior;
  thread->waiting.stack.Push(0);
  DoQuietly(thread, quiet, Participation::kExecutingTask);
  thread->waiting.costs.Unobserved(fields::kClassTask, 2);  // its end as well
  return true;
}

// The task of the innermost entry ends or is suspended.
inline bool GoBackQuietly(ThreadState* thread) {
  const Quiet quiet = QuietHere(thread);
  const uint32_t depth = thread->waiting.stack.depth();
  if (quiet.task == nullptr || depth <= quiet.task->wait_base) return false;
  OpenWait* around = depth > quiet.task->wait_base + 1 ? thread->waiting.stack.at(depth - 2) : nullptr;
  if (around == nullptr && depth > quiet.task->wait_base + 1) return false;  // not kept
  if (around != nullptr && around->state != OmptState::kNone && (!around->estimated || around->at_end)) return false;
  thread->waiting.stack.Pop();
  if (around != nullptr && around->state != OmptState::kNone) around->since_ns = quiet.now;
  DoQuietly(thread, quiet, ParticipationIn(around));
  return true;
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_QUIET_WAITS_H_

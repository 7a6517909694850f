// libgomp's cancellation: finds out which constructs are cancelled, and reports their cancellation.
#ifndef RUNTIME_SHIM_GOMP_CANCEL_H_
#define RUNTIME_SHIM_GOMP_CANCEL_H_

#include "runtime_shim/gomp/enter.h"

namespace gomp_ompt {

// libgomp's names for the constructs that can be cancelled.
enum CancelKind : int { kCancelParallel = 1, kCancelLoop = 2, kCancelSections = 4, kCancelTaskgroup = 8 };

// cancel-var, which is constant in a process; -1 before the first question.
extern std::atomic<signed char> cancellation_is_enabled;
bool AskWhetherCancellationIsEnabled();

inline bool CancellationIsEnabled() {
  const signed char known = cancellation_is_enabled.load(std::memory_order_relaxed);
  return __builtin_expect(known < 0, false) ? AskWhetherCancellationIsEnabled() : known != 0;
}

// Whether the taskgroup or the parallel region of the task that libgomp is about to run is cancelled.
bool IsTaskCancelled();

// The current task has met an active cancellation point of `which`, or activated it. Reports this with
// ompt_cancel_activated or ompt_cancel_detected.
void ReportCancel(int which, int how, const Caller& caller);

// A task for which IsTaskCancelled is true will not run.
void ReportDiscarded(Task* task);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_CANCEL_H_

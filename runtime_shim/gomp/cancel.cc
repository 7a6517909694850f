#include "runtime_shim/gomp/cancel.h"

#include "runtime_shim/gomp/real.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(omp_get_cancellation, int());
DECLARE_REAL(GOMP_cancel, bool(int, bool));
DECLARE_REAL(GOMP_cancellation_point, bool(int));

int OmptCancelFlag(int which) {
  switch (which) {
    case kCancelLoop:
      return ompt_cancel_loop;
    case kCancelSections:
      return ompt_cancel_sections;
    case kCancelTaskgroup:
      return ompt_cancel_taskgroup;
    default:
      return ompt_cancel_parallel;
  }
}

}  // namespace

std::atomic<signed char> cancellation_is_enabled{-1};

bool AskWhetherCancellationIsEnabled() {
  const bool is_enabled = REAL(omp_get_cancellation)() != 0;
  cancellation_is_enabled.store(is_enabled, std::memory_order_relaxed);
  return is_enabled;
}

// libgomp's answer for a cancellation point of a taskgroup uses the conditions by which libgomp discards tasks.
bool IsTaskCancelled() { return REAL(GOMP_cancellation_point)(kCancelTaskgroup); }

void ReportCancel(int which, int how, const Caller& caller) {
  Task* task = this_thread.current;
  if ((which & (kCancelParallel | kCancelTaskgroup)) != 0) task->is_cancelled = true;
  if (auto* callback = OMPT_CALLBACK(cancel)) callback(&task->data, OmptCancelFlag(which) | how, caller.codeptr_ra);
}

void ReportDiscarded(Task* task) {
  const int which = REAL(GOMP_cancellation_point)(kCancelParallel) ? ompt_cancel_parallel : ompt_cancel_taskgroup;
  if (auto* callback = OMPT_CALLBACK(cancel)) callback(&task->data, which | ompt_cancel_discarded_task, nullptr);
}

// `do_cancel` is the value of the if clause. Without it, the construct is a cancellation point.
EXPORTED bool GOMP_cancel(int which, bool do_cancel) {
  if (!Tracing()) return REAL(GOMP_cancel)(which, do_cancel);
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  const bool activates = do_cancel && !REAL(GOMP_cancellation_point)(which);
  const bool is_active = REAL(GOMP_cancel)(which, do_cancel);
  if (is_active) ReportCancel(which, activates ? ompt_cancel_activated : ompt_cancel_detected, caller);
  return is_active;
}

EXPORTED bool GOMP_cancellation_point(int which) {
  if (!Tracing()) return REAL(GOMP_cancellation_point)(which);
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  const bool is_active = REAL(GOMP_cancellation_point)(which);
  if (is_active) ReportCancel(which, ompt_cancel_detected, caller);
  return is_active;
}

}  // namespace gomp_ompt

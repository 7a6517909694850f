// Barriers that the compiler calls. gcc makes the same call for `#pragma omp barrier` and for the end of a statically
// scheduled loop, a single or a scope. worksharing.h says how the shim tells them apart.
#include "runtime_shim/gomp/cancel.h"
#include "runtime_shim/gomp/device_target.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/worksharing.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_barrier, void());
DECLARE_REAL(GOMP_barrier_cancel, bool());

}  // namespace

EXPORTED void GOMP_barrier() {
  if (!Tracing()) return REAL(GOMP_barrier)();
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  const BarrierKind kind = AtBarrier(this_thread.current, caller);
  Synchronizing barrier(kind.region, kind.state, caller);
  REAL(GOMP_barrier)();
  FinishDeferred(kind.region, this_thread.current);
}

// A barrier in a region with a cancel construct, and thus also a cancellation point of the region.
EXPORTED bool GOMP_barrier_cancel() {
  if (!Tracing()) return REAL(GOMP_barrier_cancel)();
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  bool is_cancelled = false;
  {
    const BarrierKind kind = AtBarrier(this_thread.current, caller);
    Synchronizing barrier(kind.region, kind.state, caller);
    is_cancelled = REAL(GOMP_barrier_cancel)();
    if (!is_cancelled) FinishDeferred(kind.region, this_thread.current);
  }
  if (is_cancelled) ReportCancel(kCancelParallel, ompt_cancel_detected, caller);
  return is_cancelled;
}

}  // namespace gomp_ompt

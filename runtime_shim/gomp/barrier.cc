// Barriers that the compiler calls for: `#pragma omp barrier`, and the end of a statically scheduled loop, a single or
// a scope, whose call is the same.
#include "runtime_shim/gomp/enter.h"
#include "runtime_shim/gomp/real.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_barrier, void());

}  // namespace

EXPORTED void GOMP_barrier() {
  if (!Tracing()) return REAL(GOMP_barrier)();
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  Synchronizing barrier(ompt_sync_region_barrier_explicit, ompt_state_wait_barrier_explicit, caller);
  REAL(GOMP_barrier)();
}

}  // namespace gomp_ompt

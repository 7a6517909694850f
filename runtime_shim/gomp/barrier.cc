// Barriers that the compiler calls for: `#pragma omp barrier`, and the end of a statically scheduled loop, a single or
// a scope, whose call is the same (worksharing.h says which is taken for which).
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/worksharing.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_barrier, void());

}  // namespace

EXPORTED void GOMP_barrier() {
  if (!Tracing()) return REAL(GOMP_barrier)();
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  const BarrierKind kind = AtBarrier(this_thread.current, caller);
  Synchronizing barrier(kind.region, kind.state, caller);
  REAL(GOMP_barrier)();
}

}  // namespace gomp_ompt

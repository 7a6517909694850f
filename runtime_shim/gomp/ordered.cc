// ordered in a loop with the ordered clause. libgomp hands on the turn only when the thread asks for its next chunk
// (GOMP_ordered_end is empty there). So the other threads' waits continue for a while after mutex_released. A thread
// without an ordered region in its chunk waits for its turn when it asks for the next chunk (loop.h).
#include "runtime_shim/gomp/ordered.h"

#include "runtime_shim/gomp/mutex.h"
#include "runtime_shim/gomp/real.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_ordered_start, void());
DECLARE_REAL(GOMP_ordered_end, void());

}  // namespace

EXPORTED void GOMP_ordered_start() {
  if (!Tracing()) return REAL(GOMP_ordered_start)();
  Acquire(ompt_mutex_ordered, ompt_state_wait_ordered, OrderedWaitId(this_thread.current), CALLER(), [] {
    REAL(GOMP_ordered_start)();
  });
}

EXPORTED void GOMP_ordered_end() {
  if (!Tracing()) return REAL(GOMP_ordered_end)();
  Release(ompt_mutex_ordered, OrderedWaitId(this_thread.current), CALLER(), [] { REAL(GOMP_ordered_end)(); });
}

}  // namespace gomp_ompt

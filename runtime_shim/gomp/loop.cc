// Loops over a variable of type long or of a type that fits in long, and the ends of all loops.
#include "runtime_shim/gomp/loop.h"

namespace gomp_ompt {

using Value = long;

#define SPACE_PARAMETERS long start, long end, long increment
#define SPACE_ARGUMENTS start, end, increment
#define SPACE_IS_UP (increment > 0)

LOOP_ENTRY_POINTS(GOMP_loop_)

DECLARE_REAL(GOMP_loop_end, void());
DECLARE_REAL(GOMP_loop_end_cancel, bool());
DECLARE_REAL(GOMP_loop_end_nowait, void());

EXPORTED void GOMP_loop_end() {
  if (!Tracing()) return REAL(GOMP_loop_end)();
  EndWithBarrier(CALLER(), [] { REAL(GOMP_loop_end)(); });
}

EXPORTED bool GOMP_loop_end_cancel() {
  if (!Tracing()) return REAL(GOMP_loop_end_cancel)();
  return EndWithCancelBarrier(CALLER(), [] { return REAL(GOMP_loop_end_cancel)(); });
}

EXPORTED void GOMP_loop_end_nowait() {
  if (!Tracing()) return REAL(GOMP_loop_end_nowait)();
  EndWithoutBarrier(CALLER(), [] { REAL(GOMP_loop_end_nowait)(); });
}

}  // namespace gomp_ompt

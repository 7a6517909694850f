// Atomic operations without an instruction of the processor. libgomp has one mutex for all of them, so they have one
// wait id. gcc also merges several reduction variables of a construct under this mutex.
#include "runtime_shim/gomp/enter.h"
#include "runtime_shim/gomp/mutex.h"
#include "runtime_shim/gomp/real.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_atomic_start, void());
DECLARE_REAL(GOMP_atomic_end, void());

}  // namespace

EXPORTED void GOMP_atomic_start();

EXPORTED void GOMP_atomic_start() {
  if (!Tracing()) return REAL(GOMP_atomic_start)();
  Acquire(ompt_mutex_atomic, ompt_state_wait_atomic, reinterpret_cast<ompt_wait_id_t>(&GOMP_atomic_start), CALLER(),
          [] {
            REAL(GOMP_atomic_start)
            ();
          });
}

EXPORTED void GOMP_atomic_end() {
  if (!Tracing()) return REAL(GOMP_atomic_end)();
  Release(ompt_mutex_atomic, reinterpret_cast<ompt_wait_id_t>(&GOMP_atomic_start), CALLER(), [] {
    REAL(GOMP_atomic_end)();
  });
}

}  // namespace gomp_ompt

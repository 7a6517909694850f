// critical, named and unnamed. The wait id of a named critical is its name object, which the linker merges over all
// files of the program. The wait id of the unnamed critical is the address of the entry point, which is as unique.
#include "runtime_shim/gomp/jump_stub.h"
#include "runtime_shim/gomp/mutex.h"

namespace gomp_ompt {

DECLARE_REAL_OF_STUB(GOMP_critical_start, void());
DECLARE_REAL_OF_STUB(GOMP_critical_end, void());
DECLARE_REAL_OF_STUB(GOMP_critical_name_start, void(void**));
DECLARE_REAL_OF_STUB(GOMP_critical_name_end, void(void**));

EXPORTED void GOMP_critical_start();

inline ompt_wait_id_t UnnamedId() { return reinterpret_cast<ompt_wait_id_t>(&GOMP_critical_start); }
inline ompt_wait_id_t IdOf(void** name) { return reinterpret_cast<ompt_wait_id_t>(name); }

FROM_STUB void GOMP_critical_start_heard() {
  if (!Tracing()) return REAL(GOMP_critical_start)();
  Acquire(ompt_mutex_critical, ompt_state_wait_critical, UnnamedId(), CALLER(), [] { REAL(GOMP_critical_start)(); });
}

FROM_STUB void GOMP_critical_start_unheard() {
  if (!IsKnownForAll()) return GOMP_critical_start_heard();
  AcquireUnheard(ompt_state_wait_critical, UnnamedId(), CALLER(), [] { REAL(GOMP_critical_start)(); });
}

FROM_STUB void GOMP_critical_end_heard() {
  if (!Tracing()) return REAL(GOMP_critical_end)();
  Release(ompt_mutex_critical, UnnamedId(), CALLER(), [] { REAL(GOMP_critical_end)(); });
}

FROM_STUB void GOMP_critical_name_start_heard(void** name) {
  if (!Tracing()) return REAL(GOMP_critical_name_start)(name);
  Acquire(ompt_mutex_critical, ompt_state_wait_critical, IdOf(name), CALLER(), [&] {
    REAL(GOMP_critical_name_start)(name);
  });
}

FROM_STUB void GOMP_critical_name_start_unheard(void** name) {
  if (!IsKnownForAll()) return GOMP_critical_name_start_heard(name);
  AcquireUnheard(ompt_state_wait_critical, IdOf(name), CALLER(), [&] { REAL(GOMP_critical_name_start)(name); });
}

FROM_STUB void GOMP_critical_name_end_heard(void** name) {
  if (!Tracing()) return REAL(GOMP_critical_name_end)(name);
  Release(ompt_mutex_critical, IdOf(name), CALLER(), [&] { REAL(GOMP_critical_name_end)(name); });
}

LISTENING_STUB(GOMP_critical_start, STUB_ACQUIRE_EVENTS)
LISTENING_STUB(GOMP_critical_name_start, STUB_ACQUIRE_EVENTS)
RELEASE_STUB(GOMP_critical_end)
RELEASE_STUB(GOMP_critical_name_end)

}  // namespace gomp_ompt

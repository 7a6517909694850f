// critical, named and unnamed. The wait id of a named one is its name object, which the linker merges over all files of
// the program; that of the unnamed one is the address of the entry point, which is as unique.
#include "runtime_shim/gomp/enter.h"
#include "runtime_shim/gomp/mutex.h"
#include "runtime_shim/gomp/real.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_critical_start, void());
DECLARE_REAL(GOMP_critical_end, void());
DECLARE_REAL(GOMP_critical_name_start, void(void**));
DECLARE_REAL(GOMP_critical_name_end, void(void**));

__attribute__((noinline)) void StartNamed(void** name, Caller caller) {
  if (!Tracing()) return REAL(GOMP_critical_name_start)(name);
  Acquire(ompt_mutex_critical, ompt_state_wait_critical, reinterpret_cast<ompt_wait_id_t>(name), caller, [&] {
    REAL(GOMP_critical_name_start)(name);
  });
}

__attribute__((noinline)) void EndNamed(void** name, Caller caller) {
  if (!Tracing()) return REAL(GOMP_critical_name_end)(name);
  Release(ompt_mutex_critical, reinterpret_cast<ompt_wait_id_t>(name), caller, [&] {
    REAL(GOMP_critical_name_end)(name);
  });
}

}  // namespace

EXPORTED void GOMP_critical_start();

EXPORTED void GOMP_critical_start() {
  if (!Tracing()) return REAL(GOMP_critical_start)();
  Acquire(ompt_mutex_critical, ompt_state_wait_critical, reinterpret_cast<ompt_wait_id_t>(&GOMP_critical_start),
          CALLER(), [] {
            REAL(GOMP_critical_start)
            ();
          });
}

EXPORTED void GOMP_critical_end() {
  if (!Tracing()) return REAL(GOMP_critical_end)();
  Release(ompt_mutex_critical, reinterpret_cast<ompt_wait_id_t>(&GOMP_critical_start), CALLER(), [] {
    REAL(GOMP_critical_end)();
  });
}

EXPORTED void GOMP_critical_name_start(void** name) {
  if (ToolIsOff()) return REAL(GOMP_critical_name_start)(name);
  StartNamed(name, CALLER());
}

EXPORTED void GOMP_critical_name_end(void** name) {
  if (ToolIsOff()) return REAL(GOMP_critical_name_end)(name);
  EndNamed(name, CALLER());
}

}  // namespace gomp_ompt

// The events of taking and giving back something that one thread at a time can have: critical, atomic, ordered, locks.
#ifndef RUNTIME_SHIM_GOMP_MUTEX_H_
#define RUNTIME_SHIM_GOMP_MUTEX_H_

#include "runtime_shim/gomp/enter.h"
#include "runtime_shim/ompt/states.h"

namespace gomp_ompt {

// Takes it by calling `take`: mutex_acquire, the waiting state, mutex_acquired.
template <class Take>
inline __attribute__((always_inline)) void Acquire(ompt_mutex_t kind, ompt_state_t state, ompt_wait_id_t wait_id,
                                                   const Caller& caller, Take take) {
  if (auto* callback = OMPT_CALLBACK(mutex_acquire)) callback(kind, 0, kMutexFutex, wait_id, caller.codeptr_ra);
  {
    InRuntime in_runtime(caller);
    InState waiting(state, wait_id);
    take();
  }
  if (auto* callback = OMPT_CALLBACK_AS(mutex_acquired, ompt_callback_mutex_t))
    callback(kind, wait_id, caller.codeptr_ra);
}

inline __attribute__((always_inline)) void Released(ompt_mutex_t kind, ompt_wait_id_t wait_id, const Caller& caller) {
  if (auto* callback = OMPT_CALLBACK_AS(mutex_released, ompt_callback_mutex_t))
    callback(kind, wait_id, caller.codeptr_ra);
}

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_MUTEX_H_

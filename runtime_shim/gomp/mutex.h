// The events of acquiring and releasing a mutex of any kind: critical, atomic, ordered, locks.
#ifndef RUNTIME_SHIM_GOMP_MUTEX_H_
#define RUNTIME_SHIM_GOMP_MUTEX_H_

#include "runtime_shim/gomp/enter.h"
#include "runtime_shim/ompt/states.h"

namespace gomp_ompt {

// libgomp's method for a mutex of this kind.
constexpr MutexImplementation ImplementationOf(ompt_mutex_t kind) {
  return kind == ompt_mutex_ordered ? kMutexSemaphore : kMutexFutex;
}

inline void ReportAcquire(ompt_mutex_t kind, ompt_wait_id_t wait_id, const Caller& caller) {
  if (auto* callback = OMPT_CALLBACK(mutex_acquire))
    callback(kind, 0, ImplementationOf(kind), wait_id, caller.codeptr_ra);
}

inline void ReportAcquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const Caller& caller) {
  if (auto* callback = OMPT_CALLBACK_AS(mutex_acquired, ompt_callback_mutex_t))
    callback(kind, wait_id, caller.codeptr_ra);
}

inline void ReportReleased(ompt_mutex_t kind, ompt_wait_id_t wait_id, const Caller& caller) {
  if (auto* callback = OMPT_CALLBACK_AS(mutex_released, ompt_callback_mutex_t))
    callback(kind, wait_id, caller.codeptr_ra);
}

// Acquires the mutex by calling `take`: mutex_acquire, the waiting state, mutex_acquired. The thread enters the state
// whether or not it waits ("early", spec 000, "Mutex Wait States"). Only libgomp knows whether it waits, and the stores
// cost less than a question.
template <class Take>
inline __attribute__((always_inline)) void Acquire(ompt_mutex_t kind, ompt_state_t state, ompt_wait_id_t wait_id,
                                                   const Caller& caller, Take take) {
  InRuntime in_runtime(caller);
  ReportAcquire(kind, wait_id, caller);
  {
    WaitingFor waiting(state, wait_id);
    take();
  }
  ReportAcquired(kind, wait_id, caller);
}

// The same, if nobody listens.
template <class Take>
inline __attribute__((always_inline)) void AcquireUnheard(ompt_state_t state, ompt_wait_id_t wait_id,
                                                          const Caller& caller, Take take) {
  InRuntime in_runtime(caller);
  WaitingFor waiting(state, wait_id);
  take();
}

// Releases the mutex by calling `give`, then reports the release.
template <class Give>
inline __attribute__((always_inline)) void Release(ompt_mutex_t kind, ompt_wait_id_t wait_id, const Caller& caller,
                                                   Give give) {
  InRuntime in_runtime(caller);
  give();
  ReportReleased(kind, wait_id, caller);
}

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_MUTEX_H_

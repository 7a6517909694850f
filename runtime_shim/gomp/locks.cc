// omp_lock_t.
#include "runtime_shim/gomp/lock.h"

namespace gomp_ompt {
namespace {

template <class Lock>
__attribute__((noinline)) void Init(void* lock, Caller caller) {
  if (!Tracing()) return Lock::Init(lock);
  InRuntime in_runtime(caller);
  Lock::Init(lock);
  ReportInit(ompt_mutex_lock, lock, caller);
}

template <class Lock>
__attribute__((noinline)) void Destroy(void* lock, Caller caller) {
  if (!Tracing()) return Lock::Destroy(lock);
  InRuntime in_runtime(caller);
  ReportDestroy(ompt_mutex_lock, lock, caller);
  Lock::Destroy(lock);
}

template <class Lock>
inline __attribute__((always_inline)) void Set(void* lock, const Caller& caller) {
  if (!Tracing()) return Lock::Set(lock);
  Acquire(ompt_mutex_lock, ompt_state_wait_lock, WaitId(lock), caller, [&] { Lock::Set(lock); });
}

template <class Lock>
inline __attribute__((always_inline)) void SetUnheard(void* lock, const Caller& caller) {
  AcquireUnheard(ompt_state_wait_lock, WaitId(lock), caller, [&] { Lock::Set(lock); });
}

template <class Lock>
inline __attribute__((always_inline)) void Unset(void* lock, const Caller& caller) {
  if (!Tracing()) return Lock::Unset(lock);
  Release(ompt_mutex_lock, WaitId(lock), caller, [&] { Lock::Unset(lock); });
}

// A test never waits.
template <class Lock>
__attribute__((noinline)) int Test(void* lock, Caller caller) {
  if (!Tracing()) return Lock::Test(lock);
  InRuntime in_runtime(caller);
  ReportAcquire(ompt_mutex_test_lock, WaitId(lock), caller);
  const int taken = Lock::Test(lock);
  if (taken != 0) ReportAcquired(ompt_mutex_test_lock, WaitId(lock), caller);
  return taken;
}

}  // namespace

#define LOCK_ENTRY_POINTS(id, suffix, node, at)                     \
  LOCK_INTERFACE(lock, id, suffix, node)                            \
  LOCK_ENTRY_POINT(void, omp_init_lock, id, suffix, at, Init)       \
  LOCK_ENTRY_POINT(void, omp_destroy_lock, id, suffix, at, Destroy) \
  LOCK_ACQUIRE_STUB(omp_set_lock, id, suffix, at, Set)              \
  LOCK_RELEASE_STUB(omp_unset_lock, id, suffix, at, Unset)          \
  LOCK_ENTRY_POINT(int, omp_test_lock, id, suffix, at, Test)

FOR_EACH_LOCK_INTERFACE(LOCK_ENTRY_POINTS)

}  // namespace gomp_ompt

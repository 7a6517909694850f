// omp_nest_lock_t. The shim asks libgomp's API for the nesting depth of a lock, because the layout of the lock is
// libgomp's own. omp_test_nest_lock takes a lock that is free or already the task's, and returns the depth, as
// omp_set_nest_lock would take it. Only if another task has the lock, the shim calls _set, which waits.
#include "runtime_shim/gomp/lock.h"

namespace gomp_ompt {
namespace {

void ReportNested(ompt_scope_endpoint_t endpoint, const void* lock, const Caller& caller) {
  if (auto* callback = OMPT_CALLBACK(nest_lock)) callback(endpoint, WaitId(lock), caller.codeptr_ra);
}

// Whether the events of acquiring and releasing need the depth.
inline bool DepthMatters(ompt_callbacks_t mutex_event) {
  return registered_callbacks[mutex_event].load(std::memory_order_relaxed) != nullptr ||
         registered_callbacks[ompt_callback_nest_lock].load(std::memory_order_relaxed) != nullptr;
}

// The task has taken the lock, `depth` times in total.
inline void ReportTaken(ompt_mutex_t kind, int depth, const void* lock, const Caller& caller) {
  if (depth == 1)
    ReportAcquired(kind, WaitId(lock), caller);
  else
    ReportNested(ompt_scope_begin, lock, caller);
}

template <class Lock>
__attribute__((noinline)) void Init(void* lock, Caller caller) {
  if (!Tracing()) return Lock::Init(lock);
  InRuntime in_runtime(caller);
  Lock::Init(lock);
  ReportInit(ompt_mutex_nest_lock, lock, caller);
}

template <class Lock>
__attribute__((noinline)) void Destroy(void* lock, Caller caller) {
  if (!Tracing()) return Lock::Destroy(lock);
  InRuntime in_runtime(caller);
  ReportDestroy(ompt_mutex_nest_lock, lock, caller);
  Lock::Destroy(lock);
}

template <class Lock>
__attribute__((noinline)) void Set(void* lock, Caller caller) {
  if (!Tracing()) return Lock::Set(lock);
  InRuntime in_runtime(caller);
  ReportAcquire(ompt_mutex_nest_lock, WaitId(lock), caller);
  int depth = DepthMatters(ompt_callback_mutex_acquired) ? Lock::Test(lock) : 0;
  if (depth == 0) {
    InWaitDetail detail(WaitDetail::kNestLock);
    WaitingFor waiting(ompt_state_wait_lock, WaitId(lock));
    Lock::Set(lock);
    depth = 1;
  }
  ReportTaken(ompt_mutex_nest_lock, depth, lock, caller);
}

template <class Lock>
__attribute__((noinline)) void Unset(void* lock, Caller caller) {
  if (!Tracing()) return Lock::Unset(lock);
  if (!DepthMatters(ompt_callback_mutex_released)) return Lock::Unset(lock);
  InRuntime in_runtime(caller);
  // The task has the lock. So this test takes the lock once more, and never waits. (0: another task has the lock.
  // libgomp lets a program unset such a lock.)
  const int depth = Lock::Test(lock) - 1;
  if (depth >= 0) Lock::Unset(lock);
  Lock::Unset(lock);
  if (depth <= 1)
    ReportReleased(ompt_mutex_nest_lock, WaitId(lock), caller);
  else
    ReportNested(ompt_scope_end, lock, caller);
}

// A test never waits.
template <class Lock>
__attribute__((noinline)) int Test(void* lock, Caller caller) {
  if (!Tracing()) return Lock::Test(lock);
  InRuntime in_runtime(caller);
  ReportAcquire(ompt_mutex_test_nest_lock, WaitId(lock), caller);
  const int depth = Lock::Test(lock);
  if (depth != 0) ReportTaken(ompt_mutex_test_nest_lock, depth, lock, caller);
  return depth;
}

}  // namespace

#define LOCK_ENTRY_POINTS(id, suffix, node, at)                          \
  LOCK_INTERFACE(nest_lock, id, suffix, node)                            \
  LOCK_ENTRY_POINT(void, omp_init_nest_lock, id, suffix, at, Init)       \
  LOCK_ENTRY_POINT(void, omp_destroy_nest_lock, id, suffix, at, Destroy) \
  LOCK_JUMP_STUB(omp_set_nest_lock, id, suffix, at, Set)                 \
  LOCK_JUMP_STUB(omp_unset_nest_lock, id, suffix, at, Unset)             \
  LOCK_ENTRY_POINT(int, omp_test_nest_lock, id, suffix, at, Test)

FOR_EACH_LOCK_INTERFACE(LOCK_ENTRY_POINTS)

}  // namespace gomp_ompt

// The numbers of Technical Report 2 (spec 003, appendix A), and their translation from those of OpenMP 5.1.
#ifndef RUNTIME_SHIM_GENERATIONS_EARLY_VALUES_H_
#define RUNTIME_SHIM_GENERATIONS_EARLY_VALUES_H_

#include <omp-tools.h>
#include <stdint.h>

#include "runtime_shim/ompt/thread.h"

namespace gomp_ompt {
namespace early {

// ompt_event_t (A.2). An event whose name ends in Begin has its end behind it.
enum Event {
  kNoEvent = 0,
  kParallelBegin,
  kParallelEnd,
  kTaskBegin,
  kTaskEnd,
  kThreadBegin,
  kThreadEnd,
  kControl,
  kRuntimeShutdown,
  kIdleBegin,
  kIdleEnd,
  kWaitBarrierBegin,
  kWaitBarrierEnd,
  kWaitTaskwaitBegin,
  kWaitTaskwaitEnd,
  kWaitTaskgroupBegin,
  kWaitTaskgroupEnd,
  kReleaseLock,
  kReleaseNestLockLast,
  kReleaseCritical,
  kReleaseAtomic,
  kReleaseOrdered,
  kImplicitTaskBegin,
  kImplicitTaskEnd,
  kInitialTaskBegin,
  kInitialTaskEnd,
  kTaskSwitch,
  kLoopBegin,
  kLoopEnd,
  kSectionsBegin,
  kSectionsEnd,
  kSingleInBlockBegin,
  kSingleInBlockEnd,
  kSingleOthersBegin,
  kSingleOthersEnd,
  kWorkshareBegin,
  kWorkshareEnd,
  kMasterBegin,
  kMasterEnd,
  kBarrierBegin,
  kBarrierEnd,
  kTaskwaitBegin,
  kTaskwaitEnd,
  kTaskgroupBegin,
  kTaskgroupEnd,
  kReleaseNestLockPrev,
  kWaitLock,
  kWaitNestLock,
  kWaitCritical,
  kWaitAtomic,
  kWaitOrdered,
  kAcquiredLock,
  kAcquiredNestLockFirst,
  kAcquiredNestLockNext,
  kAcquiredCritical,
  kAcquiredAtomic,
  kAcquiredOrdered,
  kInitLock,
  kInitNestLock,
  kDestroyLock,
  kDestroyNestLock,
  kFlush,
  kEvents
};
static_assert(kReleaseOrdered == 21 && kTaskSwitch == 26 && kReleaseNestLockPrev == 45 && kFlush == 61);

// The answers of ompt_set_callback (table 3).
enum SetResult { kSetError = 0, kSetImpossible = 1, kSetNever = 2, kSetSometimes = 3, kSetAlways = 4 };

// The answer for an event of libgomp under the shim.
SetResult ResultOf(Event event);

// The events of a kind of OpenMP 5.1; kNoEvent where the report has none.
struct SyncEvents {
  Event region, wait;  // their begins
};
SyncEvents SyncEventsOf(ompt_sync_region_t kind);

Event WorkEventOf(ompt_work_t kind);  // its begin

struct MutexEvents {
  Event wait, acquired, released, init, destroy;
};
MutexEvents MutexEventsOf(ompt_mutex_t kind);

// `event`, a begin, or the end behind it.
inline Event At(ompt_scope_endpoint_t endpoint, Event event) {
  return endpoint == ompt_scope_begin || event == kNoEvent ? event : static_cast<Event>(event + 1);
}

// ompt_thread_type_t.
inline int ThreadTypeOf(ompt_thread_t kind) { return kind > ompt_thread_other ? ompt_thread_other : kind; }

// ompt_invoker_t of LLVM's header. The report has no such argument.
inline int InvokerOf(int parallel_flags) { return (parallel_flags & ompt_parallel_invoker_runtime) != 0 ? 1 : 0; }

// ompt_state_t. Async-signal-safe.
int StateOf(int state, WaitDetail detail);

// ompt_enumerate_state. Async-signal-safe.
int EnumerateState(int current, int* next, const char** next_name);

}  // namespace early
}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GENERATIONS_EARLY_VALUES_H_

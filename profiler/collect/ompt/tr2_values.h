// The numbers of Technical Report 2 (spec 003, appendix A). The draft after it has the same numbers, and so has the
// first runtime of Technical Report 6, as far as states go.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_TR2_VALUES_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_TR2_VALUES_H_

#include <omp-tools.h>
#include <stdint.h>

#include "proto/ompt_state.h"

namespace ompprof::collect::tr2 {

// A.2 Runtime Event Callbacks: the events that the adapter uses.
enum Event : int {
  kParallelBegin = 1,
  kParallelEnd = 2,
  kTaskBegin = 3,
  kTaskEnd = 4,
  kThreadBegin = 5,
  kThreadEnd = 6,
  kControl = 7,
  kRuntimeShutdown = 8,
  kWaitBarrierBegin = 11,
  kWaitBarrierEnd = 12,
  kWaitTaskwaitBegin = 13,
  kWaitTaskwaitEnd = 14,
  kWaitTaskgroupBegin = 15,
  kWaitTaskgroupEnd = 16,
  kReleaseLock = 17,
  kReleaseNestLockLast = 18,
  kReleaseCritical = 19,
  kReleaseAtomic = 20,
  kReleaseOrdered = 21,
  kImplicitTaskBegin = 22,
  kImplicitTaskEnd = 23,
  kTaskSwitch = 26,
  kLoopBegin = 27,
  kLoopEnd = 28,
  kSectionsBegin = 29,
  kSectionsEnd = 30,
  kSingleInBlockBegin = 31,
  kSingleInBlockEnd = 32,
  kSingleOthersBegin = 33,
  kSingleOthersEnd = 34,
  kWorkshareBegin = 35,
  kWorkshareEnd = 36,
  kBarrierBegin = 39,
  kBarrierEnd = 40,
  kTaskwaitBegin = 41,
  kTaskwaitEnd = 42,
  kTaskgroupBegin = 43,
  kTaskgroupEnd = 44,
  kReleaseNestLockPrev = 45,
  kWaitLock = 46,
  kWaitNestLock = 47,
  kWaitCritical = 48,
  kWaitAtomic = 49,
  kWaitOrdered = 50,
  kAcquiredLock = 51,
  kAcquiredNestLockFirst = 52,
  kAcquiredNestLockNext = 53,
  kAcquiredCritical = 54,
  kAcquiredAtomic = 55,
  kAcquiredOrdered = 56,
  kInitLock = 57,
  kInitNestLock = 58,
  kDestroyLock = 59,
  kDestroyNestLock = 60,
};
inline constexpr int kEvents = 62;

// A.1 Runtime States.
inline constexpr int kStateIdle = 0x10;
inline constexpr int kStateFirst = 0x71;  // the value with which the enumeration begins

// The state of OpenMP 5.x. Async-signal-safe.
OmptState StateOf(int state);

// Table 3: the answer of ompt_set_callback, as OpenMP 5.x says it.
ompt_set_result_t ResultOf(int result);

// 4.5: a task's frames.
struct Frame {
  void* exit_runtime_frame;
  void* reenter_runtime_frame;
};

}  // namespace ompprof::collect::tr2

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_TR2_VALUES_H_

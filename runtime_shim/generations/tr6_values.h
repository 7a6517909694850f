// The numbers of the chapter of Technical Report 6, and their translation from those of OpenMP 5.1.
#ifndef RUNTIME_SHIM_GENERATIONS_TR6_VALUES_H_
#define RUNTIME_SHIM_GENERATIONS_TR6_VALUES_H_

#include <omp-tools.h>

namespace gomp_ompt {
namespace tr6 {

// ompt_callbacks_t.
enum Event {
  kThreadBegin = 1,
  kThreadEnd,
  kParallelBegin,
  kParallelEnd,
  kTaskCreate,
  kTaskSchedule,
  kImplicitTask,
  kTarget,
  kTargetDataOp,
  kTargetSubmit,
  kControlTool,
  kDeviceInitialize,
  kDeviceFinalize,
  kSyncRegionWait,
  kMutexReleased,
  kTaskDependences,
  kTaskDependence,
  kWork,
  kMaster,
  kTargetMap,
  kSyncRegion,
  kLockInit,
  kLockDestroy,
  kMutexAcquire,
  kMutexAcquired,
  kNestLock,
  kFlush,
  kCancel,
  kIdle,
  kEvents
};
static_assert(kIdle == 29);

// The answers of ompt_set_callback.
enum SetResult { kSetError = 0, kSetNever = 1, kSetSometimes = 2, kSetSometimesPaired = 3, kSetAlways = 4 };

// ompt_task_dependence_t.
struct Dependence {
  void* variable_addr;
  unsigned dependence_flags;
};

// The event of OpenMP 5.1. Not for kIdle.
ompt_callbacks_t FiveOf(Event event);

// "Valid return codes of ompt_set_callback for each callback": up to kDeviceFinalize, kSetAlways is the only one.
SetResult ResultOf(Event event, ompt_set_result_t result);

// These return 0 for a value that the chapter has no word for.
int SyncRegionOf(ompt_sync_region_t kind);
int MutexOf(ompt_mutex_t kind);
int StatusOf(ompt_task_status_t status);
int WorkOf(ompt_work_t kind);
unsigned DependenceOf(ompt_dependence_type_t type);

int TargetOf(ompt_target_t kind);
int InvokerOf(int parallel_flags);

// Async-signal-safe.
int StateOf(int state);

// ompt_enumerate_states.
int EnumerateStates(int current, int* next, const char** next_name);

}  // namespace tr6
}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GENERATIONS_TR6_VALUES_H_

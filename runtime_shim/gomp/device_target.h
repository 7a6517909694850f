// Target regions on a device: which region libgomp works for when it calls the device, and where the region's target
// task begins and ends.
//
// libgomp executes a target task inside of the construct's call, or later on a thread of the team that waits. A
// device's function hears neither. So the shim writes the number of the region's record into a control variable of the
// task, the default device, for the length of the construct's call. A deferred target task inherits its control
// variables. In the device's function, the variable of libgomp's current task names the region. No code of the program
// runs in a task with such a value.
#ifndef RUNTIME_SHIM_GOMP_DEVICE_TARGET_H_
#define RUNTIME_SHIM_GOMP_DEVICE_TARGET_H_

#include "runtime_shim/gomp/target_events.h"
#include "runtime_shim/ompt/runtime_queries.h"

namespace gomp_ompt {

// Until the end of the scope, libgomp works for `target`, and the tasks that it creates do as well.
class WorkingFor {
 public:
  explicit WorkingFor(Target* target);
  ~WorkingFor();
  WorkingFor(const WorkingFor&) = delete;

 private:
  int outer_;
};

// The region that libgomp works for on the calling thread; NULL: none that the shim knows.
Target* WorkedFor();

// Called by a construct on a device that the shim watches, behind GenerateTargetTask. `state` is that of a thread that
// executes the target task. From here on, the region of a deferred target task may end on any thread.
void ExpectOnDevice(Target* target, bool is_deferred, ompt_state_t state, Task* generator);

// Around each operation of the device for `target`. The first makes the target task begin. A deferred target task
// leaves its thread behind an operation, except while libgomp maps its variables. `freed` is the device's memory that
// the operation freed; NULL: none. The block of a deferred region's construct is the last of its work, so the region
// ends.
void BeginOperation(Thread& thread, Target* target);
void EndOperation(Thread& thread, Target* target, const void* freed);

// Called when libgomp has given a deferred region's kernel to the device.
void LeaveLaunched(Thread& thread, Target* target);

// Called by the construct when libgomp returns from a target task that was not deferred.
void FinishOnDevice(Thread& thread, Target* target);

// Likewise, if it may have been deferred. It was not if it has begun. Otherwise it ends later.
void FinishIfBegun(Thread& thread, Target* target);

// libgomp does not say that a deferred target task is done whose variables others use as well. These are called where
// such a task is done at the latest: behind a taskwait of `task`, a taskgroup in it, and a barrier of its team. No-op
// almost always.
extern std::atomic<unsigned> deferred_targets;
void FinishDeferredSlowly(Thread& thread, ompt_sync_region_t kind, Task* task);
inline void FinishDeferred(ompt_sync_region_t kind, Task* task) {
  if (__builtin_expect(deferred_targets.load(std::memory_order_relaxed) != 0, false))
    FinishDeferredSlowly(this_thread, kind, task);
}

// Called when an explicit task ends: its deferred regions may go on, and another task may get its record.
void OrphanDeferredSlowly(const Task* task);
inline void OrphanDeferred(const Task* task) {
  if (__builtin_expect(deferred_targets.load(std::memory_order_relaxed) != 0, false)) OrphanDeferredSlowly(task);
}

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_DEVICE_TARGET_H_

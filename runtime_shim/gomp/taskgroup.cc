#include "runtime_shim/gomp/taskgroup.h"

#include "runtime_shim/gomp/device_target.h"
#include "runtime_shim/gomp/real.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_taskgroup_start, void());
DECLARE_REAL(GOMP_taskgroup_end, void());
DECLARE_REAL(GOMP_taskgroup_reduction_register, void(uintptr_t*));
DECLARE_REAL(GOMP_taskgroup_reduction_unregister, void(uintptr_t*));
DECLARE_REAL(GOMP_workshare_task_reduction_unregister, void(bool));

void ReportTaskgroup(ompt_callbacks_t event, ompt_scope_endpoint_t endpoint, const Caller& caller) {
  auto* callback =
      reinterpret_cast<ompt_callback_sync_region_t>(registered_callbacks[event].load(std::memory_order_relaxed));
  Task* task = this_thread.current;
  if (callback != nullptr)
    callback(ompt_sync_region_taskgroup, endpoint, &task->parallel->data, &task->data, caller.codeptr_ra);
}

void ReportReduction(Task* task, ompt_scope_endpoint_t endpoint, const Caller& caller) {
  if (auto* callback = OMPT_CALLBACK_AS(reduction, ompt_callback_sync_region_t))
    callback(ompt_sync_region_reduction, endpoint, &task->parallel->data, &task->data, caller.codeptr_ra);
}

void EndReduction(const Caller& caller) {
  Task* task = this_thread.current;
  if (!task->is_reducing) return;
  task->is_reducing = false;
  this_thread.state = WorkState(task);
  ReportReduction(task, ompt_scope_end, caller);
}

}  // namespace

void ReportTaskgroupStart(const Caller& caller) {
  ReportTaskgroup(ompt_callback_sync_region, ompt_scope_begin, caller);
}

void ReportTaskgroupEnd(const Caller& caller) {
  ReportTaskgroup(ompt_callback_sync_region_wait, ompt_scope_begin, caller);
  ReportTaskgroup(ompt_callback_sync_region_wait, ompt_scope_end, caller);
  ReportTaskgroup(ompt_callback_sync_region, ompt_scope_end, caller);
}

void StartTaskgroup(const Caller& caller) {
  REAL(GOMP_taskgroup_start)();
  this_thread.current->taskgroup_reductions <<= 1;
  ReportTaskgroupStart(caller);
}

void EndTaskgroup(const Caller& caller) {
  Task* task = this_thread.current;
  {
    InState waiting(ompt_state_wait_taskgroup);
    ReportTaskgroup(ompt_callback_sync_region_wait, ompt_scope_begin, caller);
    REAL(GOMP_taskgroup_end)();
    FinishDeferred(ompt_sync_region_taskgroup, task);
    ReportTaskgroup(ompt_callback_sync_region_wait, ompt_scope_end, caller);
  }
  ReportTaskgroup(ompt_callback_sync_region, ompt_scope_end, caller);
  const bool reduces = (task->taskgroup_reductions & 1) != 0;
  task->taskgroup_reductions >>= 1;
  if (reduces) BeginReduction(caller);
}

void RegisterTaskgroupReduction(uintptr_t* data) {
  NeedTeam(this_thread.current);
  REAL(GOMP_taskgroup_reduction_register)(data);
  this_thread.current->taskgroup_reductions |= 1;
}

void BeginReduction(const Caller& caller) {
  Task* task = this_thread.current;
  task->is_reducing = true;
  ReportReduction(task, ompt_scope_begin, caller);
  this_thread.state = ompt_state_work_reduction;
}

EXPORTED void GOMP_taskgroup_start() {
  if (!Tracing()) return REAL(GOMP_taskgroup_start)();
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  StartTaskgroup(caller);
}

EXPORTED void GOMP_taskgroup_end() {
  if (!Tracing()) return REAL(GOMP_taskgroup_end)();
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  EndTaskgroup(caller);
}

EXPORTED void GOMP_taskgroup_reduction_register(uintptr_t* data) {
  if (!Tracing()) return REAL(GOMP_taskgroup_reduction_register)(data);
  RegisterTaskgroupReduction(data);
}

EXPORTED void GOMP_taskgroup_reduction_unregister(uintptr_t* data) {
  if (!Tracing()) return REAL(GOMP_taskgroup_reduction_unregister)(data);
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  EndReduction(caller);
  REAL(GOMP_taskgroup_reduction_unregister)(data);
}

// The end of a loop, sections or scope whose reduction has the task modifier. The construct's own barrier came before.
// libgomp waits for the tasks, and then in a barrier of its own, unless the construct was cancelled.
EXPORTED void GOMP_workshare_task_reduction_unregister(bool cancelled) {
  if (!Tracing()) return REAL(GOMP_workshare_task_reduction_unregister)(cancelled);
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  if (cancelled) {
    InState waiting(ompt_state_wait_taskgroup);
    return REAL(GOMP_workshare_task_reduction_unregister)(cancelled);
  }
  Synchronizing barrier(ompt_sync_region_barrier_implementation, ompt_state_wait_barrier_implementation, caller);
  REAL(GOMP_workshare_task_reduction_unregister)(cancelled);
}

}  // namespace gomp_ompt

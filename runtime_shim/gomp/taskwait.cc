// taskwait. (taskyield does nothing in libgomp, so the shim leaves it out.)
#include "runtime_shim/gomp/dependences.h"
#include "runtime_shim/gomp/device_target.h"
#include "runtime_shim/gomp/enter.h"
#include "runtime_shim/gomp/jump_stub.h"
#include "runtime_shim/ompt/task_dependence.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_taskwait_depend, void(void**));

}  // namespace

DECLARE_REAL_OF_STUB(GOMP_taskwait, void());

FROM_STUB void GOMP_taskwait_heard() {
  if (!Tracing()) return REAL(GOMP_taskwait)();
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  Synchronizing taskwait(ompt_sync_region_taskwait, ompt_state_wait_taskwait, caller);
  REAL(GOMP_taskwait)();
  FinishDeferred(ompt_sync_region_taskwait, this_thread.current);
}

FROM_STUB void GOMP_taskwait_unheard() {
  if (!IsKnownForAll()) return GOMP_taskwait_heard();
  CallUnheard(ompt_state_wait_taskwait, CALLER(), [] {
    REAL(GOMP_taskwait)();
    FinishDeferred(ompt_sync_region_taskwait, this_thread.current);
  });
}

LISTENING_STUB(GOMP_taskwait, STUB_SYNC_EVENTS)

// A taskwait with depend clauses is an empty task with these clauses, mergeable and undeferred (OpenMP 5.1, 2.19.5).
// The task is created and completes, and is never scheduled.
EXPORTED void GOMP_taskwait_depend(void** depend) {
  if (!Tracing()) return REAL(GOMP_taskwait_depend)(depend);
  const Caller caller = CALLER();
  Thread& thread = this_thread;
  InRuntime in_runtime(caller);
  Task* parent = thread.current;
  Task* task = NewTask(thread);
  task->parallel = parent->parallel;
  task->flags = ompt_task_taskwait | ompt_task_undeferred | ompt_task_mergeable;
  if (auto* callback = OMPT_CALLBACK(task_create))
    callback(&parent->data, &parent->frame, &task->data, task->flags, DependenceCount(depend) != 0, caller.codeptr_ra);
  ReportDependences(task, depend);
  {
    InState waiting(ompt_state_wait_taskwait);
    REAL(GOMP_taskwait_depend)(depend);
  }
  EndsAsPredecessor(task);
  if (auto* callback = OMPT_CALLBACK(task_schedule)) callback(&task->data, ompt_taskwait_complete, nullptr);
  FreeTask(thread, task);
}

}  // namespace gomp_ompt

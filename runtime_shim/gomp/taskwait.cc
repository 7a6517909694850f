// taskwait. (taskyield does nothing in libgomp, so the shim leaves it out.)
#include "runtime_shim/gomp/dependences.h"
#include "runtime_shim/gomp/device_target.h"
#include "runtime_shim/gomp/enter.h"
#include "runtime_shim/gomp/explicit_task.h"
#include "runtime_shim/gomp/jump_stub.h"
#include "runtime_shim/gomp/order.h"
#include "runtime_shim/ompt/task_dependence.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_task,
             void(void (*)(void*), void*, void (*)(void*, void*), long, long, bool, unsigned, void**, int, void*));
DECLARE_REAL(GOMP_taskwait_depend, void(void**));
DECLARE_REAL(GOMP_taskwait_depend_nowait, void(void**));

// The task of a taskwait with depend clauses: it is empty and mergeable (OpenMP 5.1, 2.19.5).
Task* CreateTaskwait(Thread& thread, int flags, void** depend, const Caller& caller) {
  Task* parent = thread.current;
  Task* task = NewTask(thread);
  task->parallel = parent->parallel;
  task->flags = flags | ompt_task_taskwait | ompt_task_mergeable;
  task->epoch = ToolEpoch();
  if (auto* callback = OMPT_CALLBACK(task_create))
    callback(&parent->data, &parent->frame, &task->data, task->flags, DependenceCount(depend) != 0, caller.codeptr_ra);
  ReportDependences(task, depend);
  return task;
}

void CompleteTaskwait(Thread& thread, Task* task) {
  EndsAsPredecessor(task);
  if (auto* callback = OMPT_CALLBACK(task_schedule)) callback(&task->data, ompt_taskwait_complete, nullptr);
  FreeTask(thread, task);
}

// What libgomp carries from the construct to the end of its dependences.
struct NowaitBlock {
  Task* task;
  bool is_taken;  // of the original: libgomp has copied it
};

void CopyNowait(void* to, void* from) {
  auto* original = static_cast<NowaitBlock*>(from);
  original->is_taken = true;
  *static_cast<NowaitBlock*>(to) = {original->task, true};
  Publish(to);
}

// Runs when the dependences are fulfilled.
void RunNowait(void* block) {
  Receive(block);
  Task* task = static_cast<NowaitBlock*>(block)->task;
  Thread& thread = this_thread;
  if (task->epoch == ToolEpoch() && thread.epoch == task->epoch && thread.current != nullptr)
    CompleteTaskwait(thread, task);
  else
    FreeTask(thread, task);
}

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

// The task is created and completes, and is never scheduled.
EXPORTED void GOMP_taskwait_depend(void** depend) {
  if (!Tracing()) return REAL(GOMP_taskwait_depend)(depend);
  const Caller caller = CALLER();
  Thread& thread = this_thread;
  InRuntime in_runtime(caller);
  Task* task = CreateTaskwait(thread, ompt_task_undeferred, depend, caller);
  {
    InState waiting(ompt_state_wait_taskwait);
    REAL(GOMP_taskwait_depend)(depend);
  }
  CompleteTaskwait(thread, task);
}

// With nowait. libgomp's function is GOMP_task with an empty function, so it says nothing when the dependences are
// fulfilled. The shim's call is the same, with a function that does. libgomp discards no task that it has copied by a
// copy function, and copies none in a cancelled region: the taskwait is complete then.
EXPORTED void GOMP_taskwait_depend_nowait(void** depend) {
  if (!Tracing()) return REAL(GOMP_taskwait_depend_nowait)(depend);
  const Caller caller = CALLER();
  Thread& thread = this_thread;
  InRuntime in_runtime(caller);
  NowaitBlock block = {CreateTaskwait(thread, /*flags=*/0, depend, caller), false};
  const bool runs_at_once = !MayDeferTasks(thread.current) || (thread.current->flags & ompt_task_final) != 0;
  InState waiting(runs_at_once ? ompt_state_wait_taskwait : thread.state);
  REAL(GOMP_task)
  (RunNowait, &block, CopyNowait, sizeof(NowaitBlock), alignof(NowaitBlock), /*if_clause=*/true, kTaskDepend, depend,
   /*priority=*/0, /*detach=*/nullptr);
  if (!block.is_taken) CompleteTaskwait(thread, block.task);
}

}  // namespace gomp_ompt

// single, with and without copyprivate.
//
// libgomp's answer tells which thread executes the block. With copyprivate, the other threads wait inside that call
// until the executor has handed over its data. libgomp does so by a barrier in GOMP_single_copy_start and _copy_end,
// which the shim reports as the implementation's. The executor's barrier begins and ends at once in the first of the
// two calls, because nobody can know before whether the call will wait.
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/worksharing.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_single_start, bool());
DECLARE_REAL(GOMP_single_copy_start, void*());
DECLARE_REAL(GOMP_single_copy_end, void(void*));

// Called when libgomp has decided whether this thread executes the block.
void BeginSingle(Task* task, bool executes, const Caller& caller) {
  if (AnyRegistered(EventBits(ompt_callback_work)))
    BeginWork(task, CountedWork(executes ? ompt_work_single_executor : ompt_work_single_other, 1, caller.codeptr_ra));
  else
    task->work.kind = static_cast<ompt_work_t>(0);
  if (!executes) EndWork(task, caller.codeptr_ra);
  task->barrier_closes_work = true;
}

}  // namespace

EXPORTED bool GOMP_single_start() {
  if (!Tracing()) return REAL(GOMP_single_start)();
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  InState overhead(ompt_state_overhead);
  const bool executes = REAL(GOMP_single_start)();
  BeginSingle(this_thread.current, executes, caller);
  return executes;
}

EXPORTED void* GOMP_single_copy_start() {
  if (!Tracing()) return REAL(GOMP_single_copy_start)();
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  EndWork(this_thread.current, caller.codeptr_ra);
  void* copied;
  {
    InWaitDetail detail(WaitDetail::kSingle);
    Synchronizing barrier(ompt_sync_region_barrier_implementation, ompt_state_wait_barrier_implementation, caller);
    copied = REAL(GOMP_single_copy_start)();
  }
  InState overhead(ompt_state_overhead);
  BeginSingle(this_thread.current, copied == nullptr, caller);
  return copied;
}

EXPORTED void GOMP_single_copy_end(void* data) {
  if (!Tracing()) return REAL(GOMP_single_copy_end)(data);
  const Caller caller = CALLER();
  InRuntime in_runtime(caller);
  EndWork(this_thread.current, caller.codeptr_ra);
  InWaitDetail detail(WaitDetail::kSingle);
  Synchronizing barrier(ompt_sync_region_barrier_implementation, ompt_state_wait_barrier_implementation, caller);
  REAL(GOMP_single_copy_end)(data);
}

}  // namespace gomp_ompt

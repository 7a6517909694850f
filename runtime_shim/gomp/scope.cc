// scope. gcc calls the runtime only for a scope with task reductions. Any other scope is only its block and a barrier.
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/worksharing.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_scope_start, void(uintptr_t*));

}  // namespace

EXPORTED void GOMP_scope_start(uintptr_t* reductions) {
  if (!Tracing()) return REAL(GOMP_scope_start)(reductions);
  const Caller caller = CALLER();
  Task* task = this_thread.current;
  InRuntime in_runtime(caller);
  InState overhead(ompt_state_overhead);
  BeginWork(task, CountedWork(ompt_work_scope, 1, caller.codeptr_ra));
  task->barrier_closes_work = true;
  NeedTeam(task);
  REAL(GOMP_scope_start)(reductions);
}

}  // namespace gomp_ompt

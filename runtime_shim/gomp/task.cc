// task.
#include "runtime_shim/gomp/dependences.h"
#include "runtime_shim/gomp/explicit_task.h"
#include "runtime_shim/gomp/real.h"

namespace gomp_ompt {
namespace {

using Function = void(void*);
using Copy = void(void*, void*);

DECLARE_REAL(GOMP_task, void(Function*, void*, Copy*, long, long, bool, unsigned, void**, int, void*));

}  // namespace

EXPORTED void GOMP_task(Function* function, void* argument, Copy* copy, long size, long alignment, bool if_clause,
                        unsigned flags, void** depend, int priority, void* detach) {
  if (!Tracing())
    return REAL(GOMP_task)(function, argument, copy, size, alignment, if_clause, flags, depend, priority, detach);
  const Caller caller = CALLER();
  Thread& thread = this_thread;
  const Task* parent = thread.current;
  InRuntime in_runtime(caller);
  // Undeferred whatever libgomp finds (it also runs a task at once when too many are waiting).
  const bool is_undeferred = !if_clause || (parent->flags & ompt_task_final) != 0;
  TaskCreation creation;
  creation.block.task = nullptr;
  creation.function = function;
  creation.argument = argument;
  creation.copy = copy;
  creation.size = static_cast<size_t>(size);
  creation.alignment = static_cast<size_t>(alignment);
  creation.has_room = copy != nullptr || !is_undeferred;
  creation.flags = OmptTaskFlags(flags, parent);
  creation.has_dependences = false;
  creation.is_detachable = (flags & kTaskDetach) != 0;
  creation.caller = caller;
  const bool depends = (flags & kTaskDepend) != 0;
  const ompt_state_t state = thread.state;
  if (__builtin_expect(depends, false)) {
    // libgomp waits for the predecessors of a task that it does not defer, and only then copies the block: the task
    // exists before that.
    creation.is_taken = false;
    creation.has_dependences = DependenceCount(depend) != 0;
    const bool runs_at_once =
        is_undeferred || (static_cast<unsigned>(parent->parallel->flags) & ompt_parallel_team) == 0;
    creation.block.task = CreateTask(thread, creation, runs_at_once);
    ReportDependences(creation.block.task, depend);
    if (runs_at_once) thread.state = ompt_state_wait_taskwait;
  }
  REAL(GOMP_task)
  (RunTask, &creation, CopyTask, static_cast<long>(BlockSize(creation)), static_cast<long>(BlockAlignment(creation)),
   if_clause, flags, depend, priority, detach);
  if (__builtin_expect(depends, false)) {
    thread.state = state;
    if (!creation.is_taken) DiscardTask(thread, creation.block.task);
  }
}

}  // namespace gomp_ompt

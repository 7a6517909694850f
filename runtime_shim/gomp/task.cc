// task.
#include <stddef.h>
#include <string.h>

#include "runtime_shim/gomp/cancel.h"
#include "runtime_shim/gomp/dependences.h"
#include "runtime_shim/gomp/explicit_task.h"
#include "runtime_shim/gomp/jump_stub.h"
#include "runtime_shim/gomp/order.h"

namespace gomp_ompt {

using Function = void(void*);
using Copy = void(void*, void*);

DECLARE_REAL_OF_STUB(GOMP_task, void(Function*, void*, Copy*, long, long, bool, unsigned, void**, int, void*));

// For a construct where the shim must know libgomp's copy and the order of events.
__attribute__((noinline)) void CreateByCopy(const TaskConstruct& construct, int ompt_flags, const Caller& caller) {
  Thread& thread = this_thread;
  const Task* parent = thread.current;
  InRuntime in_runtime(caller);
  // Undeferred whatever libgomp decides (libgomp also runs a task at once when too many tasks are waiting).
  const bool is_undeferred = !construct.if_clause || (parent->flags & ompt_task_final) != 0;
  TaskCreation creation;
  creation.block.task = nullptr;
  creation.function = construct.function;
  creation.argument = construct.argument;
  creation.copy = construct.copy;
  creation.size = static_cast<size_t>(construct.size);
  creation.alignment = static_cast<size_t>(construct.alignment);
  creation.has_room = construct.copy != nullptr || !is_undeferred;
  creation.flags = ompt_flags;
  creation.has_dependences = false;
  creation.is_detachable = (construct.flags & kTaskDetach) != 0;
  creation.caller = caller;
  const bool depends = (construct.flags & kTaskDepend) != 0;
  const ompt_state_t state = thread.state;
  if (depends) {
    // For a task that libgomp does not defer, libgomp waits for the predecessors before it copies the block. The task
    // exists before that.
    creation.is_taken = false;
    creation.has_dependences = DependenceCount(construct.depend) != 0;
    const bool runs_at_once = is_undeferred || !MayDeferTasks(parent);
    creation.block.task = CreateTask(thread, creation, runs_at_once);
    ReportDependences(creation.block.task, construct.depend);
    if (runs_at_once) thread.state = ompt_state_wait_taskwait;
  }
  REAL(GOMP_task)
  (RunTask, &creation, CopyTask, static_cast<long>(BlockSize(creation)), static_cast<long>(BlockAlignment(creation)),
   construct.if_clause, construct.flags, construct.depend, construct.priority, construct.detach);
  if (depends) {
    thread.state = state;
    if (!creation.is_taken) DiscardTask(thread, creation.block.task);
  }
}

namespace {

inline bool IsUndeferred(bool if_clause, int ompt_flags, const Task* parent) {
  return !if_clause || (ompt_flags & parent->flags & ompt_task_final) != 0 || !MayDeferTasks(parent);
}

inline __attribute__((always_inline)) void CopyArgument(uint64_t* to, const void* argument, size_t size) {
  // Usually one word.
  if (size == sizeof(uint64_t))
    memcpy(to, argument, sizeof(uint64_t));
  else if (size != 0)
    memcpy(to, argument, size);
}

// Makes libgomp copy `block`, whose argument has `size` bytes.
template <class Block>
inline __attribute__((always_inline)) void CreateByBlock(Function* run, Block& block, size_t size, bool if_clause,
                                                         unsigned flags) {
  REAL(GOMP_task)
  (run, &block, nullptr, static_cast<long>(offsetof(Block, argument) + size), alignof(Block), if_clause, flags, nullptr,
   0, nullptr);
}

inline __attribute__((always_inline)) void CreateSmall(Function* function, void* argument, size_t size, bool if_clause,
                                                       unsigned flags, const Caller& caller) {
  Thread& thread = this_thread;
  Task* parent = thread.current;
  InRuntime in_runtime(caller);
  int ompt_flags = OmptTaskFlags(flags, parent);
  if (IsUndeferred(if_clause, ompt_flags, parent)) ompt_flags |= ompt_task_undeferred;
  SmallBlock block;
  Task* task = NewExplicitTask(thread, parent, function, ompt_flags, false, caller);
  task->argument = block.argument;
  task->argument_size = size;
  block.task = task;
  CopyArgument(block.argument, argument, size);
  Publish(task);
  CreateByBlock(RunSmallTask, block, size, if_clause, flags);
}

inline __attribute__((always_inline)) void CreateUnheard(Function* function, void* argument, size_t size,
                                                         bool if_clause, unsigned flags, const Caller& caller) {
  Thread& thread = this_thread;
  Task* parent = thread.current;
  InRuntime in_runtime(caller);
  int ompt_flags = OmptTaskFlags(flags, parent);
  if (IsUndeferred(if_clause, ompt_flags, parent)) ompt_flags |= ompt_task_undeferred;
  UnheardBlock block;
  block.header = UnheardTask(function, ompt_flags, size, ToolEpoch()).header();
  CopyArgument(block.argument, argument, size);
  CreateByBlock(RunUnheardTask, block, size, if_clause, flags);
}

}  // namespace

FROM_STUB void GOMP_task_slowly(Function* function, void* argument, Copy* copy, long size, long alignment,
                                bool if_clause, unsigned flags, void** depend, int priority, void* detach) {
  if (!Tracing())
    return REAL(GOMP_task)(function, argument, copy, size, alignment, if_clause, flags, depend, priority, detach);
  const Caller caller = CALLER();
  const bool is_small = copy == nullptr && static_cast<size_t>(size) <= SmallBlock::kLargest &&
                        alignment <= static_cast<long>(alignof(SmallBlock)) &&
                        (flags & (kTaskDepend | kTaskPriority | kTaskDetach)) == 0 && !CancellationIsEnabled();
  if (__builtin_expect(!is_small, false))
    return CreateByCopy({function, argument, copy, size, alignment, if_clause, flags, depend, priority, detach},
                        OmptTaskFlags(flags, this_thread.current), caller);
  if (AnyRegistered(EventBits(ompt_callback_task_create)) || !UnheardTask::Fits(function))
    CreateSmall(function, argument, static_cast<size_t>(size), if_clause, flags, caller);
  else
    CreateUnheard(function, argument, static_cast<size_t>(size), if_clause, flags, caller);
}

// Without a tool, this is a jump: a task that libgomp does not defer costs 7 ns, and its ten arguments would cost 4 ns.
JUMP_STUB(GOMP_task)

}  // namespace gomp_ompt

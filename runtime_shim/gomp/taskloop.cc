// taskloop.
#include "runtime_shim/gomp/cancel.h"
#include "runtime_shim/gomp/explicit_task.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/taskgroup.h"

namespace gomp_ompt {
namespace {

using Function = void(void*);
using Copy = void(void*, void*);
using Ull = unsigned long long;

DECLARE_REAL(GOMP_taskloop, void(Function*, void*, Copy*, long, long, unsigned, unsigned long, int, long, long, long));
DECLARE_REAL(GOMP_taskloop_ull, void(Function*, void*, Copy*, long, long, unsigned, unsigned long, int, Ull, Ull, Ull));
DECLARE_REAL(omp_get_num_threads, int());
DECLARE_REAL(GOMP_cancellation_point, bool(int));

uint64_t Iterations(unsigned, long start, long end, long step) {
  if (step > 0) return start < end ? (static_cast<Ull>(end) - start + step - 1) / step : 0;
  return start > end ? (static_cast<Ull>(start) - end - step - 1) / -static_cast<Ull>(step) : 0;
}

uint64_t Iterations(unsigned flags, Ull start, Ull end, Ull step) {
  if ((flags & kTaskloopUp) != 0) return start < end ? (end - start + step - 1) / step : 0;
  return start > end ? (start - end - step - 1) / -step : 0;
}

// Whether libgomp may defer the tasks of a taskloop. libgomp does not defer them if they would fill its queue. The
// tasks come in any number. With a copy function where the user has none, libgomp would have the copies of all of them
// on the stack at once. So libgomp gets our copy function only if it may defer the tasks. The number of tasks computed
// here is at most one more than libgomp's number.
bool MayBeDeferred(unsigned flags, unsigned long num_tasks, uint64_t iterations, const Task* parent) {
  if ((flags & kTaskloopIf) == 0 || (parent->flags & ompt_task_final) != 0) return false;
  const auto threads = static_cast<uint64_t>(REAL(omp_get_num_threads)());
  uint64_t tasks = num_tasks != 0 ? num_tasks : threads;
  if ((flags & kTaskloopGrainsize) != 0) tasks = iterations / num_tasks;
  if (tasks > iterations) tasks = iterations;
  return tasks <= 64 * threads;
}

// The largest user's block that lies within our block. libgomp may have the blocks of 64 tasks for each thread on a
// stack.
constexpr size_t kLargestWithin = 256;

template <class Real, class Integer>
void Taskloop(const Caller& caller, Real* real, Function* function, void* argument, Copy* copy, long size,
              long alignment, unsigned flags, unsigned long num_tasks, int priority, Integer start, Integer end,
              Integer step) {
  Task* parent = this_thread.current;
  InRuntime in_runtime(caller);
  const uint64_t iterations = Iterations(flags, start, end, step);
  const bool is_copied = copy != nullptr || MayBeDeferred(flags, num_tasks, iterations, parent);
  TaskCreation creation;
  creation.block.task = nullptr;
  creation.function = function;
  creation.argument = argument;
  creation.copy = copy;
  creation.size = static_cast<size_t>(size);
  creation.alignment = static_cast<size_t>(alignment);
  creation.has_room = copy != nullptr || (is_copied && creation.size <= kLargestWithin);
  creation.flags = OmptTaskFlags(flags, parent);
  creation.has_dependences = false;
  creation.is_detachable = false;
  creation.caller = caller;
  // The shim makes the taskgroup, so that the wait can be told from the creation of the tasks. Like libgomp, it makes
  // none for a loop without iterations, or in a cancelled region.
  const bool has_taskgroup =
      (flags & kTaskloopNogroup) == 0 && iterations != 0 && !REAL(GOMP_cancellation_point)(kCancelParallel);
  uintptr_t* reductions = nullptr;
  if ((flags & kTaskloopReduction) != 0) {
    creation.block.reserved[2] = static_cast<const TaskBlock*>(argument)->reserved[2];
    reductions = reinterpret_cast<uintptr_t*>(creation.block.reserved[2]);
  }
  // The exception: libgomp runs the tasks at once, in their order, because it looks for a team before the reductions
  // make a team. With a taskgroup made earlier, libgomp would defer the tasks, and run the last task first.
  const bool has_own_taskgroup = has_taskgroup && reductions != nullptr && !MayDeferTasks(parent);
  if (has_own_taskgroup) {
    NeedTeam(parent);
    ReportTaskgroupStart(caller);
  } else if (has_taskgroup) {
    StartTaskgroup(caller);
    if (reductions != nullptr) RegisterTaskgroupReduction(reductions);
    flags |= kTaskloopNogroup;
  }
  auto* report = OMPT_CALLBACK(work);
  if (report != nullptr)
    report(ompt_work_taskloop, ompt_scope_begin, &parent->parallel->data, &parent->data, iterations, caller.codeptr_ra);
  real(is_copied ? RunLoopTask : RunUncopiedLoopTask, &creation, is_copied ? CopyTask : nullptr,
       static_cast<long>(BlockSize(creation)), static_cast<long>(BlockAlignment(creation)), flags, num_tasks, priority,
       start, end, step);
  if (report != nullptr)
    report(ompt_work_taskloop, ompt_scope_end, &parent->parallel->data, &parent->data, iterations, caller.codeptr_ra);
  if (has_own_taskgroup) {
    ReportTaskgroupEnd(caller);
    BeginReduction(caller);
  } else if (has_taskgroup) {
    EndTaskgroup(caller);
  }
}

}  // namespace

EXPORTED void GOMP_taskloop(Function* function, void* argument, Copy* copy, long size, long alignment, unsigned flags,
                            unsigned long num_tasks, int priority, long start, long end, long step) {
  if (!Tracing())
    return REAL(GOMP_taskloop)(function, argument, copy, size, alignment, flags, num_tasks, priority, start, end, step);
  Taskloop(CALLER(), REAL(GOMP_taskloop), function, argument, copy, size, alignment, flags, num_tasks, priority, start,
           end, step);
}

EXPORTED void GOMP_taskloop_ull(Function* function, void* argument, Copy* copy, long size, long alignment,
                                unsigned flags, unsigned long num_tasks, int priority, Ull start, Ull end, Ull step) {
  if (!Tracing())
    return REAL(GOMP_taskloop_ull)(function, argument, copy, size, alignment, flags, num_tasks, priority, start, end,
                                   step);
  Taskloop(CALLER(), REAL(GOMP_taskloop_ull), function, argument, copy, size, alignment, flags, num_tasks, priority,
           start, end, step);
}

}  // namespace gomp_ompt

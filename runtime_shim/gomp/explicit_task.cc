#include "runtime_shim/gomp/explicit_task.h"

#include <stdlib.h>
#include <string.h>

#include "runtime_shim/gomp/cancel.h"
#include "runtime_shim/gomp/detach.h"
#include "runtime_shim/gomp/device_target.h"
#include "runtime_shim/gomp/order.h"
#include "runtime_shim/ompt/task_dependence.h"

namespace gomp_ompt {
namespace {

// The calling thread goes from its present task to another, and back.
class InTask {
 public:
  InTask(Thread& thread, Task* task, void* exit_frame) : thread_(thread), prior_(thread.current), state_(thread.state) {
    task->frame.exit_frame.ptr = exit_frame;
    task->scheduling_parent = prior_;
    task->thread_num = prior_->thread_num;
    std::atomic_signal_fence(std::memory_order_release);
    thread.current = task;
    thread.state = WorkState(task);
  }
  void Leave(Task* task) {
    task->frame.exit_frame.ptr = nullptr;
    thread_.state = state_;
  }
  void BackToPrior() { thread_.current = prior_; }
  Task* prior() const { return prior_; }

 private:
  Thread& thread_;
  Task* const prior_;
  const ompt_state_t state_;  // any state without a wait id: no thread takes a task while it waits for a mutex
};

void ReportSchedule(Task* prior, ompt_task_status_t status, Task* next) {
  if (auto* callback = OMPT_CALLBACK(task_schedule)) callback(&prior->data, status, &next->data);
}

void FreeExplicitTask(Thread& thread, Task* task) {
  if (__builtin_expect(task->argument_is_apart, false)) free(task->argument);
  FreeTask(thread, task);
}

void Discard(Thread& thread, Task* task) {
  EndsAsPredecessor(task);
  ReportDiscarded(task);
  ReportSchedule(task, ompt_task_cancel, thread.current);
  // libgomp would discard the task without waiting for its event. The shim lets the task run without any code instead,
  // and libgomp waits for the event then.
  if (task->event != 0) AbandonEvent(task);
  FreeExplicitTask(thread, task);
}

// Nobody must hear of the task: the tool is gone since its creation, or this is the child of a fork.
void RunUnseen(Thread& thread, Task* task) {
  task->function(task->argument);
  if (task->event == 0 || CodeHasEnded(task)) FreeExplicitTask(thread, task);
}

// Whether the thread knows the tool under which `task` was created.
inline __attribute__((always_inline)) bool IsSeen(const Thread& thread, const Task* task, uint32_t epoch) {
  return task->epoch == epoch && thread.epoch == epoch && thread.current != nullptr;
}

// The end of a detachable task's code. True if its event is already fulfilled.
bool EndDetachable(Task* task, Task* prior) {
  if (CodeIsEnding(task)) return true;
  ReportSchedule(task, ompt_task_detach, prior);
  CodeHasEnded(task);
  return false;
}

// `is_small`: the task was made by SmallBlock.
template <bool is_small>
inline __attribute__((always_inline)) void Run(Task* task, void* frame) {
  Thread& thread = this_thread;
  Receive(task);
  const uint32_t epoch = ToolEpoch();
  if (__builtin_expect(!IsSeen(thread, task, epoch), false)) return RunUnseen(thread, task);
  if (!is_small && __builtin_expect(task->may_be_discarded, false) && IsTaskCancelled()) return Discard(thread, task);
  InTask in_task(thread, task, frame);
  Task* prior = in_task.prior();
  ReportSchedule(prior, ompt_task_switch, task);
  task->function(task->argument);
  if (__builtin_expect(ToolEpoch() != epoch || thread.current != task, false)) return;  // forked, or the tool has gone
  in_task.Leave(task);
  OrphanDeferred(task);
  if (!is_small && __builtin_expect(task->event != 0, false) && !EndDetachable(task, prior))
    return in_task.BackToPrior();  // the thread that fulfills the event frees the task
  if (!is_small) EndsAsPredecessor(task);
  ReportSchedule(task, task->is_cancelled ? ompt_task_cancel : ompt_task_complete, prior);
  in_task.BackToPrior();
  Publish(task->parallel);  // the region's end comes after this, also for a thread that has arrived there
  if (is_small)
    FreeTask(thread, task);
  else
    FreeExplicitTask(thread, task);
}

// When the task was created, libgomp had not yet shown this.
void BecomeUndeferred(Task* task) {
  task->flags |= ompt_task_undeferred;
  task->may_be_discarded = false;
}

// libgomp writes the bounds to the place where the user's function reads them.
void CopyBounds(const TaskBlock& block, void* argument) {
  memcpy(argument, block.reserved, 2 * sizeof(block.reserved[0]));
}

}  // namespace

Task* CreateTask(Thread& thread, const TaskCreation& creation, bool is_undeferred) {
  Task* task = NewExplicitTask(thread, thread.current, creation.function,
                               is_undeferred ? creation.flags | ompt_task_undeferred : creation.flags,
                               creation.has_dependences, creation.caller);
  task->argument = creation.argument;
  // libgomp never discards a task whose copy function has run. It does not know that this task had no copy function of
  // the user's.
  task->may_be_discarded = creation.copy == nullptr && !is_undeferred && CancellationIsEnabled();
  Publish(task);
  return task;
}

void DiscardTask(Thread& thread, Task* task) { Discard(thread, task); }

void CopyTask(void* to, void* from) {
  auto& creation = *static_cast<TaskCreation*>(from);
  Thread& thread = this_thread;
  void* frame = __builtin_frame_address(0);
  // If libgomp runs a task at once, the task's block lies on the stack between this frame and the wrapper's frame.
  const bool is_undeferred = to > frame && to < creation.caller.frame;
  Task* task = creation.block.task;
  if (task == nullptr)
    task = CreateTask(thread, creation, is_undeferred);
  else if (is_undeferred)
    BecomeUndeferred(task);
  creation.is_taken = true;
  static_cast<TaskBlock*>(to)->task = task;
  Publish(to);
  if (__builtin_expect(creation.is_detachable, false)) {
    // libgomp has put the handle into our block. The task looks for the handle in the user's block.
    if (creation.argument != nullptr) memcpy(creation.argument, &creation.block.reserved[0], sizeof(uintptr_t));
    AwaitEvent(task, creation.block.reserved[0]);
  }
  if (is_undeferred && creation.copy == nullptr) return;  // uses the original, as with libgomp alone
  task->argument_size = creation.size;
  if (creation.has_room) {
    task->argument = static_cast<char*>(to) + UserOffset(creation);
  } else {
    task->argument_is_apart = true;
    task->argument = aligned_alloc(BlockAlignment(creation),
                                   (creation.size + BlockAlignment(creation) - 1) & ~(BlockAlignment(creation) - 1));
    if (task->argument == nullptr) abort();  // libgomp also ends the process
  }
  if (creation.copy == nullptr) {
    memcpy(task->argument, creation.argument, creation.size);
    Publish(task);
    return;
  }
  // The user's constructors. For frames and for libgomp, this is code of the new task.
  InTask in_task(thread, task, frame);
  creation.copy(task->argument, creation.argument);
  in_task.Leave(task);
  in_task.BackToPrior();
  Publish(task);
}

void RunSmallTask(void* argument) {
  void* frame = __builtin_frame_address(0);
  auto* block = static_cast<SmallBlock*>(argument);
  Task* task = block->task;
  Receive(task);
  if (__builtin_expect(task->argument == block->argument, false)) {  // libgomp runs the task at once, without a copy
    task->flags |= ompt_task_undeferred;
    task->argument_size = 0;
  }
  task->argument = block->argument;
  Run<true>(task, frame);
}

void RunUnheardTask(void* argument) {
  auto* block = static_cast<UnheardBlock*>(argument);
  const UnheardTask unheard(block->header);
  Thread& thread = this_thread;
  Task* prior = thread.current;
  const uint32_t epoch = ToolEpoch();
  if (__builtin_expect(!unheard.IsOf(epoch) || thread.epoch != epoch || prior == nullptr, false))
    return unheard.function()(block->argument);
  Task* task = TakeNested(thread);
  ClearTask(task);
  int flags = unheard.flags();
  task->argument_size = unheard.size();
  void* frame = __builtin_frame_address(0);
  // The block was not copied, and lies on the stack between this frame and the wrapper's frame: libgomp runs the task
  // at once.
  if (__builtin_expect(argument > frame && argument < prior->frame.enter_frame.ptr, false)) {
    flags |= ompt_task_undeferred;
    task->argument_size = 0;
  }
  task->flags = flags;
  task->thread_num = prior->thread_num;
  Parallel* region = prior->parallel;
  task->parallel = region;
  task->scheduling_parent = prior;
  task->argument = block->argument;
  task->frame.exit_frame.ptr = frame;
  const ompt_state_t state = thread.state;
  std::atomic_signal_fence(std::memory_order_release);
  thread.current = task;
  thread.state = region->work_state;
  if (AnyRegistered(EventBits(ompt_callback_task_schedule))) ReportSchedule(prior, ompt_task_switch, task);
  unheard.function()(block->argument);
  if (__builtin_expect(ToolEpoch() != epoch || thread.current != task, false)) return;  // forked, or the tool has gone
  thread.state = state;
  if (AnyRegistered(EventBits(ompt_callback_task_schedule))) {
    task->frame.exit_frame.ptr = nullptr;
    ReportSchedule(task, task->is_cancelled ? ompt_task_cancel : ompt_task_complete, prior);
  }
  thread.current = prior;
  GiveNested(thread, task);
}

void RunTask(void* block) {
  Receive(block);
  Run<false>(static_cast<TaskBlock*>(block)->task, __builtin_frame_address(0));
}

void RunLoopTask(void* argument) {
  auto* block = static_cast<TaskBlock*>(argument);
  Receive(block);
  Receive(block->task);
  CopyBounds(*block, block->task->argument);
  Run<false>(block->task, __builtin_frame_address(0));
}

void RunUncopiedLoopTask(void* argument) {
  auto& creation = *static_cast<TaskCreation*>(argument);
  Thread& thread = this_thread;
  CopyBounds(creation.block, creation.argument);
  if (!IsKnown(thread) || thread.current == nullptr) return creation.function(creation.argument);
  Run<false>(CreateTask(thread, creation, true), __builtin_frame_address(0));
}

}  // namespace gomp_ompt

#include "runtime_shim/gomp/explicit_task.h"

#include <stdlib.h>
#include <string.h>

#include "runtime_shim/gomp/cancel.h"
#include "runtime_shim/gomp/detach.h"
#include "runtime_shim/gomp/order.h"

namespace gomp_ompt {
namespace {

// The calling thread goes from the task that it is in to another, and back.
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
  const ompt_state_t state_;  // whatever it is, without a wait id: no thread takes a task while it waits for a mutex
};

void ReportSchedule(Task* prior, ompt_task_status_t status, Task* next) {
  if (auto* callback = OMPT_CALLBACK(task_schedule)) callback(&prior->data, status, &next->data);
}

void FreeExplicitTask(Thread& thread, Task* task) {
  if (__builtin_expect(task->argument_is_apart, false)) free(task->argument);
  FreeTask(thread, task);
}

void Discard(Thread& thread, Task* task) {
  ReportDiscarded(task);
  ReportSchedule(task, ompt_task_cancel, thread.current);
  // libgomp throws it away without waiting for its event; we have it run nothing, for which libgomp would wait.
  if (task->event != 0) AbandonEvent(task);
  FreeExplicitTask(thread, task);
}

// Nobody is to hear of the task: the tool has gone since it was created, or this is the child of a fork.
void RunUnseen(Thread& thread, Task* task) {
  task->function(task->argument);
  if (task->event == 0 || CodeHasEnded(task)) FreeExplicitTask(thread, task);
}

// The thread knows the tool that `task` was created under.
inline __attribute__((always_inline)) bool IsSeen(const Thread& thread, const Task* task, uint32_t epoch) {
  return task->epoch == epoch && thread.epoch == epoch && thread.current != nullptr;
}

// The end of a detachable task's code: true when its event is fulfilled already.
bool EndDetachable(Task* task, Task* prior) {
  if (CodeIsEnding(task)) return true;
  ReportSchedule(task, ompt_task_detach, prior);
  CodeHasEnded(task);
  return false;
}

// `is_small`: made by SmallBlock.
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
  if (!is_small && __builtin_expect(task->event != 0, false) && !EndDetachable(task, prior))
    return in_task.BackToPrior();  // who fulfills its event frees it
  ReportSchedule(task, task->is_cancelled ? ompt_task_cancel : ompt_task_complete, prior);
  in_task.BackToPrior();
  Publish(task->parallel);  // its end comes after this, also for a thread that has arrived there
  if (is_small)
    FreeTask(thread, task);
  else
    FreeExplicitTask(thread, task);
}

// libgomp did not say so when the task was created.
void BecomeUndeferred(Task* task) {
  task->flags |= ompt_task_undeferred;
  task->may_be_discarded = false;
}

// libgomp writes the bounds where the user's function looks for them.
void CopyBounds(const TaskBlock& block, void* argument) {
  memcpy(argument, block.reserved, 2 * sizeof(block.reserved[0]));
}

}  // namespace

Task* CreateTask(Thread& thread, const TaskCreation& creation, bool is_undeferred) {
  Task* task = NewExplicitTask(thread, thread.current, creation.function,
                               is_undeferred ? creation.flags | ompt_task_undeferred : creation.flags,
                               creation.has_dependences, creation.caller);
  task->argument = creation.argument;
  // libgomp never discards a task whose copy function has run, and does not know that this one would have had none.
  task->may_be_discarded = creation.copy == nullptr && !is_undeferred && CancellationIsEnabled();
  Publish(task);
  return task;
}

void DiscardTask(Thread& thread, Task* task) { Discard(thread, task); }

void CopyTask(void* to, void* from) {
  auto& creation = *static_cast<TaskCreation*>(from);
  Thread& thread = this_thread;
  void* frame = __builtin_frame_address(0);
  // A task that libgomp runs at once has its block on the stack, between us and the wrapper.
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
    // libgomp has put the handle into our block, for the task to find it in its own.
    if (creation.argument != nullptr) memcpy(creation.argument, &creation.block.reserved[0], sizeof(uintptr_t));
    AwaitEvent(task, creation.block.reserved[0]);
  }
  if (is_undeferred && creation.copy == nullptr) return;  // uses the original, as it would with libgomp alone
  task->argument_size = creation.size;
  if (creation.has_room) {
    task->argument = static_cast<char*>(to) + UserOffset(creation);
  } else {
    task->argument_is_apart = true;
    task->argument = aligned_alloc(BlockAlignment(creation),
                                   (creation.size + BlockAlignment(creation) - 1) & ~(BlockAlignment(creation) - 1));
    if (task->argument == nullptr) abort();  // as libgomp, which ends the process
  }
  if (creation.copy == nullptr) {
    memcpy(task->argument, creation.argument, creation.size);
    Publish(task);
    return;
  }
  // The user's constructors: code of the new task, as far as frames and libgomp are concerned.
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
  if (__builtin_expect(task->argument == block->argument, false)) {  // libgomp runs it at once, and has not copied it
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
  // Not copied, but on the stack between this frame and the wrapper's: libgomp runs it at once.
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

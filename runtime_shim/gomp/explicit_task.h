// The life of an explicit task, from the construct to the end of its code: for task (task.cc) and taskloop
// (taskloop.cc).
//
// libgomp receives a function and a block of arguments. It copies the block, unless it runs the task at once on the
// caller's stack. It may call the function on any thread. The shim gives libgomp its own function and block instead:
// the block names the task's record, and the user's block follows. libgomp also copies with a function of the shim. So
// the shim hears of each task's creation while the encountering thread is still creating it. By the place of the copy,
// the shim can tell whether the task is deferred.
#ifndef RUNTIME_SHIM_GOMP_EXPLICIT_TASK_H_
#define RUNTIME_SHIM_GOMP_EXPLICIT_TASK_H_

#include <stddef.h>

#include "runtime_shim/gomp/enter.h"

namespace gomp_ompt {

// The bits of libgomp's flags that concern the task (GCC's gomp-constants.h).
enum TaskFlag : unsigned {
  kTaskUntied = 1 << 0,
  kTaskFinal = 1 << 1,
  kTaskMergeable = 1 << 2,
  kTaskDepend = 1 << 3,
  kTaskPriority = 1 << 4,
  kTaskloopUp = 1 << 8,
  kTaskloopGrainsize = 1 << 9,
  kTaskloopIf = 1 << 10,
  kTaskloopNogroup = 1 << 11,
  kTaskloopReduction = 1 << 12,
  kTaskDetach = 1 << 13,
};

// The data that libgomp carries from the construct to the task. libgomp writes the bounds of a taskloop's task into the
// first two words. It writes the handle of a detachable task's event into the first word, and reads a taskloop's
// reductions from the third word.
struct TaskBlock {
  uint64_t reserved[3];
  Task* task;
};

// The arguments of GOMP_task.
struct TaskConstruct {
  void (*function)(void*);
  void* argument;
  void (*copy)(void*, void*);
  long size, alignment;
  bool if_clause;
  unsigned flags;
  void** depend;
  int priority;
  void* detach;
};

// Gives the construct to libgomp with CopyTask, and reports its events. `ompt_flags` without `undeferred`.
void CreateByCopy(const TaskConstruct& construct, int ompt_flags, const Caller& caller);

// A construct that creates one or more tasks: the block from which libgomp makes the copies. Lives on the wrapper's
// stack.
struct TaskCreation {
  TaskBlock block;          // must be first; `task` is set if the task was made before the copy
  void (*function)(void*);  // of the user: function, block, and copy function (or NULL)
  void* argument;
  void (*copy)(void*, void*);
  size_t size, alignment;  // of the user's block
  bool has_room;           // our block has room for the user's block
  bool is_taken;           // libgomp has copied it: the task exists for libgomp too
  int flags;               // ompt_task_flag_t, without `undeferred`
  int has_dependences;
  bool is_detachable;
  Caller caller;
};

// The flags of a task that the current task creates. A descendant of a final task is final.
inline int OmptTaskFlags(unsigned flags, const Task* parent) {
  constexpr unsigned kShift = 28;
  static_assert(kTaskUntied << kShift == static_cast<unsigned>(ompt_task_untied));
  static_assert(kTaskFinal << kShift == static_cast<unsigned>(ompt_task_final));
  static_assert(kTaskMergeable << kShift == static_cast<unsigned>(ompt_task_mergeable));
  const unsigned own = (flags & (kTaskUntied | kTaskFinal | kTaskMergeable)) << kShift;
  return static_cast<int>(ompt_task_explicit | own | (static_cast<unsigned>(parent->flags) & ompt_task_final));
}

// The alignment to request from libgomp.
inline size_t BlockAlignment(const TaskCreation& creation) {
  return creation.alignment > alignof(TaskBlock) ? creation.alignment : alignof(TaskBlock);
}
inline size_t UserOffset(const TaskCreation& creation) {
  const size_t alignment = BlockAlignment(creation);
  return (sizeof(TaskBlock) + alignment - 1) & ~(alignment - 1);
}
inline size_t BlockSize(const TaskCreation& creation) {
  return creation.has_room ? UserOffset(creation) + creation.size : sizeof(TaskBlock);
}

// Makes the record of a task that runs `function`, and reports task_create. The other fields are set when the task
// starts.
inline __attribute__((always_inline)) Task* NewExplicitTask(Thread& thread, Task* parent, void (*function)(void*),
                                                            int flags, int has_dependences, const Caller& caller) {
  Task* task = TakeTask(thread);
  ClearTask(task);
  task->parallel = parent->parallel;
  task->flags = flags;
  task->function = function;
  task->epoch = ToolEpoch();
  if (auto* callback = OMPT_CALLBACK(task_create))
    callback(&parent->data, &parent->frame, &task->data, flags, has_dependences, caller.codeptr_ra);
  return task;
}

// The same, for a construct that libgomp copies with CopyTask.
Task* CreateTask(Thread& thread, const TaskCreation& creation, bool is_undeferred);

// Ends a task that was made but refused by libgomp, because its region is cancelled.
void DiscardTask(Thread& thread, Task* task);

// The copy function for libgomp: from a TaskCreation to a TaskBlock.
void CopyTask(void* to, void* from);

// An ordinary task construct (GOMP_task decides) needs no copy function. Its small block is made on the wrapper's
// stack, and libgomp copies it like a user's block.
struct SmallBlock {
  static constexpr size_t kLargest = 64;
  Task* task;
  uint64_t argument[kLargest / sizeof(uint64_t)];
};
void RunSmallTask(void* block);

// The same, if nobody listens to task_create. Nobody can have the task's data before the task starts, so the record is
// made at the start, on the thread that runs the task, and stays there. Before that, one word has all facts: libgomp's
// copy loads whole words, and such a load waits for several smaller stores.
struct UnheardBlock {
  uint64_t header;
  uint64_t argument[SmallBlock::kLargest / sizeof(uint64_t)];
};

// The header: a function's address has 47 bits. Above them lie, from the lowest: the uppermost 5 bits of
// ompt_task_flag_t (an explicit task gives the others), 7 bits for the size of the argument, and 4 bits of the tool's
// epoch.
class UnheardTask {
 public:
  static bool Fits(void (*function)(void*)) { return reinterpret_cast<uintptr_t>(function) >> kAddressBits == 0; }

  UnheardTask(void (*function)(void*), int flags, size_t size, uint32_t epoch)
      : header_(reinterpret_cast<uintptr_t>(function) |
                (uint64_t{static_cast<uint32_t>(flags) >> kFlagShift} | size << 5 | uint64_t{EpochBits(epoch)} << 12)
                    << kAddressBits) {}
  explicit UnheardTask(uint64_t header) : header_(header) {}

  uint64_t header() const { return header_; }
  auto function() const { return reinterpret_cast<void (*)(void*)>(header_ & ((uint64_t{1} << kAddressBits) - 1)); }
  int flags() const {
    return static_cast<int>(static_cast<uint32_t>(header_ >> kAddressBits & 31) << kFlagShift) | ompt_task_explicit;
  }
  size_t size() const { return header_ >> (kAddressBits + 5) & 127; }
  bool IsOf(uint32_t epoch) const { return header_ >> (kAddressBits + 12) == EpochBits(epoch); }

 private:
  static constexpr unsigned kAddressBits = 48, kFlagShift = 27;
  static uint32_t EpochBits(uint32_t epoch) { return epoch >> 1 & 15; }

  uint64_t header_;
};
static_assert(ompt_task_undeferred == 1 << 27 && SmallBlock::kLargest < 128);

void RunUnheardTask(void* block);

// The functions for libgomp: for a task of a task construct, for a task of a taskloop, and for a taskloop that libgomp
// runs without a copy. In the last case, the argument is the TaskCreation, and the task must still be made.
void RunTask(void* block);
void RunLoopTask(void* block);
void RunUncopiedLoopTask(void* creation);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_EXPLICIT_TASK_H_

// The tasks on one thread's stack, by the events of a runtime that names tasks by numbers (tr2_adapter.h). The
// runtime's own answers about outer tasks cannot be used: LLVM's runtime of that time goes from a task to the task that
// made it, which is on another thread's stack.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_NUMBERED_TASKS_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_NUMBERED_TASKS_H_

#include <omp-tools.h>
#include <stdint.h>

#include <atomic>

#include "profiler/collect/ompt/tr2_values.h"

namespace ompprof::collect {

// A task that the thread executes, or has left for a task within it.
struct NumberedTask {
  uint64_t id;
  uint64_t parallel_id;     // implicit tasks
  ompt_data_t word;         // the task's data word; its address names the task
  ompt_data_t parallel;     // implicit tasks: the region's data word
  const tr2::Frame* frame;  // where it was when the task began
  int flags;
  int thread_num;
  uint32_t implicit_at;  // position of the implicit task around it, or of itself; kNone
  bool ended;            // the runtime has told the task's end, and the rest of the collector has not heard of it
  bool at_end;           // the task waits, or has waited, at the barrier that ends its region

  bool IsImplicit() const { return (flags & ompt_task_implicit) != 0; }
  bool IsWorkers() const { return IsImplicit() && thread_num != 0; }
};

// One thread's. Written by the thread's own callbacks, read also in its handler.
struct NumberedTasks {
  static constexpr uint32_t kMost = 1024;
  static constexpr uint32_t kNone = UINT32_MAX;

  NumberedTask tasks[kMost];  // outermost first
  uint32_t depth;             // may exceed kMost: the tasks above are not kept
  ompt_data_t initial_word;
  // Of the task in which the outermost region began.
  uint64_t initial_id;
  const tr2::Frame* initial_frame;

  uint32_t kept() const { return depth < kMost ? depth : kMost; }
  // NULL: the thread executes its initial task, or no task, or a task that is not kept.
  NumberedTask* Top() { return depth != 0 && depth <= kMost ? &tasks[depth - 1] : nullptr; }
  NumberedTask* Below() { return depth > 1 && depth <= kMost ? &tasks[depth - 2] : nullptr; }
  NumberedTask* ImplicitAround() {
    const uint32_t at = kept() != 0 ? tasks[kept() - 1].implicit_at : kNone;
    return at != kNone ? &tasks[at] : nullptr;
  }

  void Clear() {
    depth = 0;
    initial_id = 0;
    initial_frame = nullptr;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }

  // The next task's place, cleared; NULL if it is not kept. Push makes it the top.
  NumberedTask* Next() {
    if (depth >= kMost) return nullptr;
    NumberedTask& next = tasks[depth];
    next = {};
    next.implicit_at = depth != 0 ? tasks[depth - 1].implicit_at : kNone;
    return &next;
  }
  void Push() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    ++depth;
  }
  void Pop() {
    --depth;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_NUMBERED_TASKS_H_

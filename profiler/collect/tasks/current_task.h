// The thread's implicit tasks and their regions, as its callbacks know them.
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_CURRENT_TASK_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_CURRENT_TASK_H_

#include "profiler/collect/tasks/region.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// The thread's present implicit task. NULL: there is none, or it is nested too deep to be kept.
inline OpenTask* CurrentTask(ThreadState* thread) {
  return thread->tasks.depth > 0 && thread->tasks.depth <= ThreadTasks::kMost
             ? &thread->tasks.open[thread->tasks.depth - 1]
             : nullptr;
}

// The implicit task with this data word, as its begin told of it. NULL: the thread has not begun it, has ended it, or
// it is nested too deep to be kept.
inline const OpenTask* OpenTaskOf(const ThreadState& thread, const void* data) {
  if (data == nullptr) return nullptr;
  const ThreadTasks& tasks = thread.tasks;
  for (uint32_t kept = tasks.depth < ThreadTasks::kMost ? tasks.depth : ThreadTasks::kMost; kept > 0; --kept) {
    if (tasks.open[kept - 1].data == data) return &tasks.open[kept - 1];
  }
  return nullptr;
}

// The region whose team counts the thread, if the region is still running.
inline RegionRecord* LiveRegion(RegionRef ref) {
  if (!IsCurrent(ref)) return nullptr;
  RegionRecord* record = RegionOf(ref);
  return record->live.load(std::memory_order_acquire) ? record : nullptr;
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_CURRENT_TASK_H_

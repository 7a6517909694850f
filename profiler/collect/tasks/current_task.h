// The thread's present task and region, as its callbacks know them.
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

// The region whose team counts the thread, if the region is still running.
inline RegionRecord* LiveRegion(RegionRef ref) {
  if (!IsCurrent(ref)) return nullptr;
  RegionRecord* record = RegionOf(ref);
  return record->live.load(std::memory_order_acquire) ? record : nullptr;
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_CURRENT_TASK_H_

// Asks the OpenMP runtimes for the calling thread's TaskView.
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_READ_TASK_VIEW_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_READ_TASK_VIEW_H_

#include <atomic>

#include "profiler/collect/tasks/task_view.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// There has been a target task: an initial task may be that of a target region, within others.
extern std::atomic<bool> target_tasks_seen;

// Asks every runtime that knows the thread; the state is that of the runtime which the stack's youngest part is in.
// Only entry points that OMPT calls async signal safe are used (ompt_get_state, ompt_get_task_info); a thread that the
// runtime did not announce by thread_begin is not asked at all, nor is a runtime at each sample that is slow to answer.
// The questions take from the thread's fuel. Where they do not lead to the thread's region, because the fuel does not
// last or the runtime goes round in a circle, the callbacks know it. Async-signal-safe.
void ReadTaskView(ThreadState* thread, TaskView* view);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_READ_TASK_VIEW_H_

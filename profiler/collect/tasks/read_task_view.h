// Asks the OpenMP runtimes for the calling thread's TaskView.
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_READ_TASK_VIEW_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_READ_TASK_VIEW_H_

#include <atomic>

#include "profiler/collect/tasks/task_view.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// A target task has been seen, so an initial task may belong to a target region within other tasks.
extern std::atomic<bool> target_tasks_seen;

// Asks every runtime that knows the thread. The state comes from the runtime of the stack's youngest part.
//
// Only entry points that OMPT declares async signal safe are used (ompt_get_state, ompt_get_task_info). A runtime is
// not asked if it did not announce the thread by thread_begin. A runtime that is slow to answer is not asked at each
// sample. The questions take from the thread's fuel. If they do not lead to the thread's region, because the fuel does
// not last or the runtime's chain is a circle, the callbacks' knowledge is used. Async-signal-safe.
void ReadTaskView(ThreadState* thread, TaskView* view);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_READ_TASK_VIEW_H_

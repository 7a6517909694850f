// Waits at barriers and for tasks, and the tasks that a thread executes meanwhile or otherwise. All of it is called in
// the thread's own OMPT callbacks.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_SYNC_WAITS_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_SYNC_WAITS_H_

#include <omp-tools.h>
#include <stdint.h>

#include "profiler/collect/thread_state.h"

namespace ompprof::collect {

// sync_region_wait. `codeptr_ra` may be NULL where the runtime does not say. Result: the kind that it is by its place,
// where the runtime is vague about it.
ompt_sync_region_t WaitBegins(ThreadState* thread, ompt_sync_region_t kind, uint64_t codeptr_ra);
void WaitEnds(ThreadState* thread);

// task_create, of an explicit task.
void TaskMade(ThreadState* thread);

// A thread that waits executes a task meanwhile, which may wait in turn.
void TaskStarts(ThreadState* thread);
void TaskStops(ThreadState* thread);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_SYNC_WAITS_H_

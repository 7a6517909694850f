// Waits at barriers and for tasks, and the tasks that a thread executes meanwhile or otherwise. All of it is called in
// the thread's own OMPT callbacks.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_SYNC_WAITS_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_SYNC_WAITS_H_

#include <omp-tools.h>
#include <stdint.h>

#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// A thread that waits may execute tasks meanwhile, and these may wait in turn: a stack, whose entries are told apart by
// their tasks (the addresses of their data words).

// sync_region_wait, of `task`; of a taskwait with dependences that is the one that they are of. `codeptr_ra` may be
// NULL where the runtime does not say.
void WaitBegins(ThreadState* thread, ompt_sync_region_t kind, const void* task, uint64_t codeptr_ra);
void WaitEnds(ThreadState* thread, const void* task);

// task_create, of an explicit task or a target task, with its flags.
void TaskMade(ThreadState* thread, int flags);

// task_schedule: from `prior` to `next`, which begins, or goes on as `prior` is suspended within it: LLVM's runtime
// says so of each part of an untied task but the last (llvm-project issue 83883).
void TaskSwitches(ThreadState* thread, const void* prior, const void* next);

// And with a status that ends `task`, which may not have begun: tasks that are cancelled before are reported so, too
// (llvm-project issue 84180). Then nothing.
void TaskEnds(ThreadState* thread, const void* task);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_SYNC_WAITS_H_

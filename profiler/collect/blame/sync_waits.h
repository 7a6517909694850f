// Waits at barriers and for tasks, and the tasks that a thread executes, in a wait or otherwise. ompt/callbacks calls
// these functions in the thread's own OMPT callbacks.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_SYNC_WAITS_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_SYNC_WAITS_H_

#include <omp-tools.h>
#include <stdint.h>

#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// A waiting thread may execute tasks, and these tasks may wait in turn. So the waits form a stack. Its entries are told
// apart by their tasks (the addresses of the tasks' data words).

// sync_region_wait of `task`. For a taskwait with dependences, `task` is the task that has the dependences.
// `codeptr_ra` is NULL if the runtime does not give an address.
void WaitBegins(ThreadState* thread, ompt_sync_region_t kind, const void* task, uint64_t codeptr_ra);
void WaitEnds(ThreadState* thread, const void* task);

// task_create, of an explicit task or a target task, with its flags.
void TaskMade(ThreadState* thread, int flags);

// From now on, a thread may make tasks without task_create: the runtime tells them when they start, on whatever thread
// that is. So no taskwait counts as a wait for nothing.
void TasksAreMadeUnseen();

// task_schedule from `prior` to `next`. `next` begins, or `next` continues because `prior` is suspended within it.
// LLVM's runtime reports the second case for each part of an untied task except the last (llvm-project issue 83883).
void TaskSwitches(ThreadState* thread, const void* prior, const void* next);

// task_schedule with a status that ends `task`. Does nothing if the task has not begun: runtimes also report tasks that
// are cancelled before they begin (llvm-project issue 84180).
void TaskEnds(ThreadState* thread, const void* task);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_SYNC_WAITS_H_

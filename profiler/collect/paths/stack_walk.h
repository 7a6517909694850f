// A thread's whole machine stack, however deep: all frames, or the leaf part and the root part.
#ifndef OMPPROF_PROFILER_COLLECT_PATHS_STACK_WALK_H_
#define OMPPROF_PROFILER_COLLECT_PATHS_STACK_WALK_H_

#include <stddef.h>
#include <ucontext.h>

#include "profiler/collect/tasks/classify.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// Walks from `context`. The byte at `known` is readable: the caller has just read or written it. Up to --max-depth
// frames are kept: three quarters at the leaf, one quarter at the root. A very deep stack is not walked to its root
// each time. Instead, the outermost frames of an earlier walk are used as long as their return addresses stand on the
// stack. If the sample's fuel does not last to the root, `broken` and `starved` are set, and the next sample's walk
// continues there.
// `task_caller`: the frame pointer of the runtime's frame that called the present task; 0: unknown. Where the walk
// cannot leave the task's code, for want of tables, it goes on there, behind a cut. The parts point into `thread`'s
// buffers. Async-signal-safe.
StackParts WalkStack(ThreadState* thread, const Unwinder* unwinder, const ucontext_t* context, uintptr_t known,
                     uintptr_t task_caller = 0);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PATHS_STACK_WALK_H_

// The call path of the calling thread, taken in an OMPT callback instead of the signal handler.
#ifndef OMPPROF_PROFILER_COLLECT_PATHS_PATH_HERE_H_
#define OMPPROF_PROFILER_COLLECT_PATHS_PATH_HERE_H_

#include <stdint.h>

#include "profiler/collect/tasks/task_view.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// The node of the youngest user frame in the thread's tree; 0 if no path can be taken.
uint32_t PathHere(ThreadState* thread, TaskView* view);

// Likewise, where the thread ends the profile. The collector's end may run among exit's handlers: then the result is
// exit's node.
uint32_t PathOfEnd(ThreadState* thread, TaskView* view);

// The node of the whole stack, including the runtime's frames; 0 as above.
uint32_t LeafHere(ThreadState* thread, TaskView* view);

// The place where the program called the runtime, as in codeptr_ra; 0 as above. Serves events of libomp's first thread,
// whose address another thread may have taken. libomp keeps a thread's return address in the thread's record until the
// event needs it. But __kmpc_end_critical always fetches, and thereby clears, the address in thread 0's record,
// whichever thread runs it. Then thread 0's event has no address, or an address within libomp (__kmpc_critical).
uint64_t CallerHere(ThreadState* thread);

// The child of `node` for a region's implicit tasks; 0 if the tree is full.
uint32_t ImplicitTaskNode(ThreadState* thread, uint32_t node, uint64_t codeptr_ra);

// The node of an implicit task without any frame left, on a stack that begins in the runtime; 0 if the tree is full.
// The splice of its row is the region.
uint32_t FinishedTaskNode(ThreadState* thread, uint64_t codeptr_ra);

// The child of `node` for a function that the code there has called; 0 if the tree is full.
uint32_t CalledFunctionNode(ThreadState* thread, uint32_t node, uintptr_t function);

// Puts a row that is not a sample into the thread's ring. False if there is no room, or if the handler is at work.
bool PushFromCallback(ThreadState* thread, const Sample& row);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PATHS_PATH_HERE_H_

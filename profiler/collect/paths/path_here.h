// The call path of the calling thread, taken in an OMPT callback rather than in the signal handler.
#ifndef OMPPROF_PROFILER_COLLECT_PATHS_PATH_HERE_H_
#define OMPPROF_PROFILER_COLLECT_PATHS_PATH_HERE_H_

#include <stdint.h>

#include "profiler/collect/tasks/task_view.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// The node of the youngest user frame in the thread's tree; 0 if the path cannot be had.
uint32_t PathHere(ThreadState* thread, TaskView* view);

// The same where the thread ends the profile. In exit's handlers, of which the collector's end is one: exit's node.
uint32_t PathOfEnd(ThreadState* thread, TaskView* view);

// The node of the whole stack, the runtime's frames included; 0 likewise.
uint32_t LeafHere(ThreadState* thread, TaskView* view);

// Where the program has called the runtime, as codeptr_ra says it; 0 likewise. For events of libomp's first thread
// whose address another thread took: libomp keeps a thread's return address in its record until the event wants it, and
// __kmpc_end_critical fetches its own, and with it clears it, from thread 0's record, whichever thread runs it. The
// event has none then, or one within libomp (__kmpc_critical).
uint64_t CallerHere(ThreadState* thread);

// The child of `node` for a region's implicit tasks; 0 if the tree is full.
uint32_t ImplicitTaskNode(ThreadState* thread, uint32_t node, uint64_t codeptr_ra);

// The node of an implicit task of which no frame is left, on a stack that begins in the runtime; 0 if the tree is full.
// Its row's splice is the region.
uint32_t FinishedTaskNode(ThreadState* thread, uint64_t codeptr_ra);

// Puts a row that is no sample into the thread's ring. False if there is no room, or the handler is at work.
bool PushFromCallback(ThreadState* thread, const Sample& row);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PATHS_PATH_HERE_H_

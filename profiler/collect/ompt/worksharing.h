// Worksharing constructs that a thread executes: their number, their iterations and their chunks. The thread's own OMPT
// callbacks call these functions.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_WORKSHARING_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_WORKSHARING_H_

#include <omp-tools.h>
#include <stdint.h>

#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// ompt_callback_work. `count`: iterations, according to the runtime.
void WorkBegins(ThreadState* thread, ompt_work_t type, RegionRef region, uint64_t count, uint64_t codeptr_ra);
inline void WorkEnds(ThreadState* thread) { thread->tasks.work = nullptr; }

// A chunk of a loop, or a section.
inline void ChunkBegins(ThreadState* thread) {
  if (thread->tasks.work != nullptr) Add(&thread->tasks.work->chunks, 1);
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_WORKSHARING_H_

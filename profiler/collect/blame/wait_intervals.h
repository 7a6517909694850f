// Stretches of waiting for --timeline, with their begin and end. A sleeping thread takes no samples, so without these
// stretches its part of a timeline would be empty. Stretches shorter than a sampling period are left out, because
// samples would miss them too.
//
// Callbacks call these functions when they learn of a wait's end, in the waiting thread itself unless a function says
// otherwise.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_WAIT_INTERVALS_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_WAIT_INTERVALS_H_

#include <stdint.h>

#include "profiler/collect/thread/thread_state.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {

// The thread waited from `begin_ns` to `end_ns` in `state`, for `wait_id` (0: no lock), at its present call path. A
// thread may hear late of the end of a region: then the wait has the path of the region `ended`. A worker between
// regions (kIdle) has no path.
void WaitedFrom(ThreadState* thread, OmptState state, uint64_t begin_ns, uint64_t end_ns, uint64_t wait_id = 0,
                RegionRef ended = 0);

// The thread's last stretch. The thread has ended, or the profile ends while the thread still waits. May be called for
// any thread. The stretch has a path only at the end of `ended`, or when idle.
void CutInterval(ThreadState* thread, OmptState state, uint64_t begin_ns, uint64_t end_ns, RegionRef ended = 0);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_WAIT_INTERVALS_H_

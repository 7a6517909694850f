// For --timeline: stretches of waiting, by when they began and ended. A thread that sleeps takes no samples, so that
// without them its part of a timeline would be empty. Those shorter than a sampling period are left out, as samples
// would leave them out.
//
// Called where a wait's end is learned of, in the thread's own callbacks if it does not say otherwise.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_WAIT_INTERVALS_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_WAIT_INTERVALS_H_

#include <stdint.h>

#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// The thread waited from `begin_ns` to `end_ns` in `state` (ompt_state_t), for `wait_id` (0: no lock), at the call path
// that it is on. At the end of a region, which the thread may hear of late, its path is that of `ended`; a worker
// between regions (ompt_state_idle) has none.
void WaitedFrom(ThreadState* thread, uint32_t state, uint64_t begin_ns, uint64_t end_ns, uint64_t wait_id = 0,
                RegionRef ended = 0);

// The thread's last: it has ended, or the profile ends and the thread, any one, is still waiting. At the end of
// `ended`, or idle; of other waits the path is not known.
void CutInterval(ThreadState* thread, uint32_t state, uint64_t begin_ns, uint64_t end_ns, RegionRef ended = 0);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_WAIT_INTERVALS_H_

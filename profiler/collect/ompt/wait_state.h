// The OMPT state that an event of waiting means. Runtimes are vaguer in ompt_get_state: libomp 14 says wait_barrier for
// an explicit barrier, wait_lock for a critical, and work_parallel in a taskwait. With --waits=off no such event comes,
// and the runtime's word is all there is.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_WAIT_STATE_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_WAIT_STATE_H_

#include <omp-tools.h>

namespace ompprof::collect {

// Between mutex_acquire and mutex_acquired of `kind` (ompt_mutex_t). Async-signal-safe.
int MutexWaitState(int kind);

// Whether that state is one of waiting at a barrier.
inline bool IsBarrierState(int state) {
  return state >= ompt_state_wait_barrier_implicit_parallel - 1 && state <= ompt_state_wait_barrier_teams;
}

// Within a sync_region_wait of `kind`, 0 if none. Async-signal-safe.
int SyncRegionState(int kind);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_WAIT_STATE_H_

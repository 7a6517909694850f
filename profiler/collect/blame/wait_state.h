// The OMPT state that an event of waiting means. Runtimes are vaguer in ompt_get_state: libomp 14 says wait_barrier for
// an explicit barrier, wait_lock for a critical, and work_parallel in a taskwait. With --waits=off no such event comes,
// and the runtime's word is all there is.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STATE_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STATE_H_

#include <omp-tools.h>
#include <stdint.h>

namespace ompprof::collect {

// Between mutex_acquire and mutex_acquired of `kind` (ompt_mutex_t). Async-signal-safe.
int MutexWaitState(int kind);

// Whether that state is one of waiting at a barrier.
inline bool IsBarrierState(int state) {
  return state >= ompt_state_wait_barrier_implicit_parallel - 1 && state <= ompt_state_wait_barrier_teams;
}

inline bool IsTaskWait(uint32_t state) {
  return state == ompt_state_wait_taskwait || state == ompt_state_wait_taskgroup;
}

// By ompt_sync_region_t; 0: none.
inline constexpr uint16_t kSyncRegionStates[] = {
    0,
    ompt_state_wait_barrier_implicit_parallel - 1,  // any barrier, or an implicit one: not told apart by OMPT
    ompt_state_wait_barrier_implicit_parallel + 2,
    ompt_state_wait_barrier_explicit,
    ompt_state_wait_barrier_implementation,
    ompt_state_wait_taskwait,
    ompt_state_wait_taskgroup,
    ompt_state_work_reduction,
    ompt_state_wait_barrier_implicit_workshare,
    ompt_state_wait_barrier_implicit_parallel,
    ompt_state_wait_barrier_teams,
};
static_assert(ompt_sync_region_barrier == 1 && ompt_sync_region_taskwait == 5 && ompt_sync_region_barrier_teams == 10);

// Within a sync_region_wait of `kind`, 0 if none. Async-signal-safe.
inline int SyncRegionState(int kind) {
  constexpr int kKinds = sizeof(kSyncRegionStates) / sizeof(kSyncRegionStates[0]);
  return kind >= 0 && kind < kKinds ? kSyncRegionStates[kind] : 0;
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STATE_H_

// The OMPT state that belongs to an event of waiting. ompt_get_state is vaguer: libomp 14 says wait_barrier for an
// explicit barrier, wait_lock for a critical, and work_parallel in a taskwait. With --waits=off, no such event comes,
// and only the runtime's answer is known.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STATE_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STATE_H_

#include <omp-tools.h>
#include <stdint.h>

namespace ompprof::collect {

// The state between mutex_acquire and mutex_acquired of `kind` (ompt_mutex_t). Async-signal-safe.
int MutexWaitState(int kind);

// Whether `state` is a wait at a barrier.
inline bool IsBarrierState(int state) {
  return state >= ompt_state_wait_barrier_implicit_parallel - 1 && state <= ompt_state_wait_barrier_teams;
}

inline bool IsTaskWait(uint32_t state) {
  return state == ompt_state_wait_taskwait || state == ompt_state_wait_taskgroup;
}

// States by ompt_sync_region_t; 0: none.
inline constexpr uint16_t kSyncRegionStates[] = {
    0,
    ompt_state_wait_barrier_implicit_parallel - 1,  // any barrier, or an implicit barrier: OMPT has one kind for both
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

// The state within a sync_region_wait of `kind`; 0 if there is none. Async-signal-safe.
inline int SyncRegionState(int kind) {
  constexpr int kKinds = sizeof(kSyncRegionStates) / sizeof(kSyncRegionStates[0]);
  return kind >= 0 && kind < kKinds ? kSyncRegionStates[kind] : 0;
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STATE_H_

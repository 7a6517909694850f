// The OMPT state that belongs to an event of waiting. ompt_get_state is vaguer: libomp 14 says wait_barrier for an
// explicit barrier, wait_lock for a critical, and work_parallel in a taskwait. With --waits=off, no such event comes,
// and only the runtime's answer is known.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STATE_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STATE_H_

#include <omp-tools.h>

#include "proto/ompt_state.h"

namespace ompprof::collect {

// The state between mutex_acquire and mutex_acquired of `kind` (ompt_mutex_t). Async-signal-safe.
OmptState MutexWaitState(int kind);

// States by ompt_sync_region_t.
inline constexpr OmptState kSyncRegionStates[] = {
    OmptState::kNone,
    OmptState::kWaitBarrier,  // any barrier
    OmptState::kWaitBarrierImplicit,
    OmptState::kWaitBarrierExplicit,
    OmptState::kWaitBarrierImplementation,
    OmptState::kWaitTaskwait,
    OmptState::kWaitTaskgroup,
    OmptState::kWorkReduction,
    OmptState::kWaitBarrierImplicitWorkshare,
    OmptState::kWaitBarrierImplicitParallel,
    OmptState::kWaitBarrierTeams,
};
static_assert(ompt_sync_region_barrier == 1 && ompt_sync_region_taskwait == 5 && ompt_sync_region_barrier_teams == 10);

// The state within a sync_region_wait of `kind`; kNone if there is none. Async-signal-safe.
inline OmptState SyncRegionState(int kind) {
  constexpr int kKinds = sizeof(kSyncRegionStates) / sizeof(kSyncRegionStates[0]);
  return kind >= 0 && kind < kKinds ? kSyncRegionStates[kind] : OmptState::kNone;
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_WAIT_STATE_H_

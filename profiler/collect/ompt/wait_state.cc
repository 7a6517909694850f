#include "profiler/collect/ompt/wait_state.h"

namespace ompprof::collect {

int MutexWaitState(int kind) {
  switch (kind) {
    case ompt_mutex_critical:
      return ompt_state_wait_critical;
    case ompt_mutex_atomic:
      return ompt_state_wait_atomic;
    case ompt_mutex_ordered:
      return ompt_state_wait_ordered;
    default:
      return ompt_state_wait_lock;
  }
}

int SyncRegionState(int kind) {
  switch (kind) {
    case ompt_sync_region_barrier:
      return ompt_state_wait_barrier_implicit_parallel - 1;
    case ompt_sync_region_barrier_implicit:
      return ompt_state_wait_barrier_implicit_parallel + 2;
    case ompt_sync_region_barrier_explicit:
      return ompt_state_wait_barrier_explicit;
    case ompt_sync_region_barrier_implementation:
      return ompt_state_wait_barrier_implementation;
    case ompt_sync_region_taskwait:
      return ompt_state_wait_taskwait;
    case ompt_sync_region_taskgroup:
      return ompt_state_wait_taskgroup;
    case ompt_sync_region_reduction:
      return ompt_state_work_reduction;
    case ompt_sync_region_barrier_implicit_workshare:
      return ompt_state_wait_barrier_implicit_workshare;
    case ompt_sync_region_barrier_implicit_parallel:
      return ompt_state_wait_barrier_implicit_parallel;
    case ompt_sync_region_barrier_teams:
      return ompt_state_wait_barrier_teams;
    default:
      return 0;
  }
}

}  // namespace ompprof::collect

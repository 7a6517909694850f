// Waits for locks of all kinds: locks, nestable locks, criticals, ordered regions, atomics. These functions measure
// each contender's wait and charge the lock's holder (lock_table.h). ompt/callbacks calls them in the thread's own OMPT
// callbacks.
#ifndef OMPPROF_PROFILER_COLLECT_LOCKS_LOCK_WAITS_H_
#define OMPPROF_PROFILER_COLLECT_LOCKS_LOCK_WAITS_H_

#include <omp-tools.h>
#include <stdint.h>

#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// LockWanted: mutex_acquire of a lock that the thread waits for. LockTested: mutex_acquire of a lock that is only
// tested. LockTaken: mutex_acquired. LockReleased: mutex_released. LockGivenUp: the thread no longer waits for the
// lock, or had it already.
void LockWanted(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra);
void LockTested(ThreadState* thread, uint64_t codeptr_ra);
void LockGivenUp(ThreadState* thread);
void LockTaken(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id);
void LockReleased(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_LOCKS_LOCK_WAITS_H_

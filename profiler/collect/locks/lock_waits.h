// Waits for locks of all kinds: locks, nestable locks, criticals, ordered regions, atomics. Who waits is measured, and
// who held the lock is charged (lock_table.h). All of it is called in the thread's own OMPT callbacks.
#ifndef OMPPROF_PROFILER_COLLECT_LOCKS_LOCK_WAITS_H_
#define OMPPROF_PROFILER_COLLECT_LOCKS_LOCK_WAITS_H_

#include <omp-tools.h>
#include <stdint.h>

#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// mutex_acquire, of a lock that is waited for and of one that is only tested; _acquired; _released. GivenUp: what was
// wanted is not waited for any more, or was the thread's already.
void LockWanted(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra);
void LockTested(ThreadState* thread, uint64_t codeptr_ra);
void LockGivenUp(ThreadState* thread);
void LockTaken(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id);
void LockReleased(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_LOCKS_LOCK_WAITS_H_

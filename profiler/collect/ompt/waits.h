// How long threads wait, for what, and who keeps them: the OMPT events of waiting turned into exact times and blame.
//
// Exact totals go to the thread's WaitStats; a wait that spans a period of the sampling clock also goes into the
// profile with its call path, so that paths cost no more than sampling does. All but BlameOfSample are called in the
// thread's own OMPT callbacks.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_WAITS_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_WAITS_H_

#include <omp-tools.h>
#include <stdint.h>

#include "profiler/collect/ompt/region.h"
#include "profiler/collect/ompt/region_stats.h"
#include "profiler/collect/thread_state.h"

namespace ompprof::collect {

// A root thread, one that the program made, begins or ends: it works serially outside of regions.
void RootBegins();
void RootEnds();
// In a forked child. `root`: the thread that is left is one.
void ForgetOtherThreads(bool root);

// The thread is in the implicit task `thread_num` of the region from here, or no longer.
void ImplicitTaskBegins(ThreadState* thread, RegionRef region, uint32_t team_size, uint32_t thread_num);
void ImplicitTaskEnds(ThreadState* thread);

// sync_region_wait. `codeptr_ra` may be NULL where the runtime does not say.
void WaitBegins(ThreadState* thread, ompt_sync_region_t kind, uint64_t codeptr_ra);
void WaitEnds(ThreadState* thread);

// A thread that waits executes a task meanwhile, which may wait in turn.
void TaskStarts(ThreadState* thread);
void TaskStops(ThreadState* thread);

// mutex_acquire, of a lock that the thread waits for and of a test; a lock that the thread has already, and has once
// more now (nest_lock); mutex_acquired; mutex_released.
void LockWanted(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra);
void LockTested(ThreadState* thread, uint64_t codeptr_ra);
void LockGivenUp(ThreadState* thread);
void LockTaken(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id);
void LockReleased(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra);

// parallel_end, on the encountering thread: the region's sums go into `counts` (may be NULL). True if a thread has
// waited at the region's end for a sampling period or more: *wait_ns of all its threads belong to the region's call
// path.
bool RegionEnds(RegionRecord* region, uint64_t now_ns, RegionCounts* counts, uint64_t* wait_ns);

// The thread is gone, or the profile ends: what it waits for ends here.
void EndWaits(ThreadState* thread, uint64_t now_ns);

// What the thread, which works in `region` (0: outside all), is to blame for since it was last asked: the time of
// threads that wait meanwhile, as they do now. Async-signal-safe; the calling thread's own state.
uint64_t TakeBlame(ThreadState* thread, RegionRef region);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_WAITS_H_

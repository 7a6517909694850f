// How long threads wait, for what, and who keeps them: the OMPT events of waiting turned into exact times and blame.
//
// With --waits=off the runtime is not asked for these events, and all here that others call keeps no more than regions
// need: what their ends are, and which of them a thread is in.
//
// Exact totals go to the thread's WaitStats; a wait that spans a period of the sampling clock also goes into the
// profile with its call path, so that paths cost no more than sampling does. All that take a thread are called in
// that thread's own OMPT callbacks, if it does not say otherwise.
//
// Blame goes to the samples of the thread that works. One that works asleep (it reads a file, or sleeps) takes no
// samples by the CPU clock, and is not woken: what it owes goes to the path of its next event of waiting, which is the
// function that meets the barrier or begins the region and not always the one that slept, or to its next sample.
// --clock=wall, which interrupts sleepers, puts it where they sleep.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_WAITS_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_WAITS_H_

#include <omp-tools.h>
#include <stdint.h>

#include "profiler/collect/ompt/region.h"
#include "profiler/collect/ompt/region_stats.h"
#include "profiler/collect/thread_state.h"

namespace ompprof::collect {

// A root thread, one that the program made, begins or ends: it works serially outside of regions.
void RootBegins(ThreadState* thread);
void RootEnds(ThreadState* thread);

// parallel_begin: the record is complete but for its team.
void TeamBegins(ThreadState* thread, RegionRecord* region);

// The thread is in the implicit task `thread_num` of the region from here, or no longer.
void ImplicitTaskBegins(ThreadState* thread, RegionRef region, uint32_t team_size, uint32_t thread_num);
void ImplicitTaskEnds(ThreadState* thread);

// sync_region_wait. `codeptr_ra` may be NULL where the runtime does not say.
void WaitBegins(ThreadState* thread, ompt_sync_region_t kind, uint64_t codeptr_ra);
void WaitEnds(ThreadState* thread);

// A thread that waits executes a task meanwhile, which may wait in turn.
void TaskStarts(ThreadState* thread);
void TaskStops(ThreadState* thread);

// mutex_acquire, of a lock that is waited for and of one that is only tested; _acquired; _released. GivenUp: what was
// wanted is not waited for any more, or was the thread's already.
void LockWanted(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra);
void LockTested(ThreadState* thread, uint64_t codeptr_ra);
void LockGivenUp(ThreadState* thread);
void LockTaken(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id);
void LockReleased(ThreadState* thread, ompt_mutex_t kind, uint64_t wait_id, uint64_t codeptr_ra);

// parallel_end, on the encountering thread: the region's sums go into `counts` (may be NULL). True if a thread has
// waited at the region's end for a sampling period or more: *wait_ns of all its threads belong to the region's call
// path.
bool RegionEnds(ThreadState* thread, RegionRecord* region, uint64_t now_ns, RegionCounts* counts, uint64_t* wait_ns);

// The thread is gone: what it waits for ends here.
void EndWaits(ThreadState* thread, uint64_t now_ns);

// The profile ends, and the thread, any one, is where it is: often in a barrier whose end its runtime has not told it.
// Called once nothing is collected any more, so that the thread's own callbacks leave its totals alone.
void CutWaits(ThreadState* thread, uint64_t now_ns);

// Sampling goes on after a pause; and a forked child begins with nothing.
void CollectingBegins(uint64_t now_ns);
void ForgetWaits();

// Of the process since `begin_ns`: see Footer.
struct WaitTotals {
  uint64_t parallel_ns;
  uint64_t serial_ns;
  uint64_t idle_ns;
  uint64_t idle_unblamed_ns;
  uint64_t pending_ns;  // of threads that have ended
};
WaitTotals TotalsOfWaits(uint64_t begin_ns, uint64_t now_ns);

// What a sample of the thread, which works in `region` (0: outside all), is to blame for: the time of threads that
// waited while it worked. Async-signal-safe; the calling thread's own state.
uint64_t TakeBlame(ThreadState* thread, RegionRef region);

// That sample was given some. Likewise.
void RememberBlamed(ThreadState* thread, const Sample& sample);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_WAITS_H_

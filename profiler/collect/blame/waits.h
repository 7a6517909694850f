// The exact times and the blame of a process: the session begins them, ends them and adds them up here. The OMPT events
// of waiting change them in region_waits.h, sync_waits.h and lock_waits.h. debt.h has the debt.
//
// With --waits=off the runtime is not asked for these events.
//
// Exact totals go to the thread's WaitStats. A wait that spans a period of the sampling clock also goes into the
// profile with its call path. Shorter waits have no path, so that paths cost no more than sampling does.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_WAITS_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_WAITS_H_

#include <stdint.h>

#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// A root thread begins or ends. The program made this thread, and it works serially outside of regions. Called in the
// thread.
void RootBegins(ThreadState* thread);
void RootEnds(ThreadState* thread);

// The thread is gone, and its waits end at `now_ns`.
void EndWaits(ThreadState* thread, uint64_t now_ns);

// The profile ends, and the thread's waits end at `now_ns`. Its runtime often has not reported the end of a barrier by
// then. May be called for any thread, after the end of collection: the thread's own callbacks then leave its totals
// alone.
void EndWaitsWithProfile(ThreadState* thread, uint64_t now_ns);

// EndWaitsWithProfile by the thread itself, if its runtime reports the end of a wait after the end of the profile.
// libomp's workers hear of their last region's end when the runtime ends them. Does nothing if the thread was cut
// before, or the profile has not ended.
void EndOwnWaitsWithProfile(ThreadState* thread);

// Sampling continues after a pause. ForgetWaits: for a forked child, which begins with nothing.
void CollectingBegins(uint64_t now_ns);
void ForgetWaits();

// The totals of the process since `begin_ns`: see Footer.
struct WaitTotals {
  uint64_t parallel_ns;
  uint64_t serial_ns;
  uint64_t idle_ns;
  uint64_t idle_unblamed_ns;
  uint64_t pending_ns;  // debt of threads that have ended
};
WaitTotals TotalsOfWaits(uint64_t begin_ns, uint64_t now_ns);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_WAITS_H_

// How long threads wait, for what, and who keeps them: exact times and blame of a process, as the session begins, cuts
// and adds them up. What the OMPT events of waiting do to them is in region_waits.h, sync_waits.h and lock_waits.h; who
// owes what is in debt.h.
//
// With --waits=off the runtime is not asked for these events.
//
// Exact totals go to the thread's WaitStats; a wait that spans a period of the sampling clock also goes into the
// profile with its call path, so that paths cost no more than sampling does.
#ifndef OMPPROF_PROFILER_COLLECT_BLAME_WAITS_H_
#define OMPPROF_PROFILER_COLLECT_BLAME_WAITS_H_

#include <stdint.h>

#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// A root thread, one that the program made, begins or ends: it works serially outside of regions. Called in it.
void RootBegins(ThreadState* thread);
void RootEnds(ThreadState* thread);

// The thread is gone: what it waits for ends here.
void EndWaits(ThreadState* thread, uint64_t now_ns);

// The profile ends, and the thread, any one, is where it is: often in a barrier whose end its runtime has not told it.
// Called once nothing is collected any more, so that the thread's own callbacks leave its totals alone.
void CutWaits(ThreadState* thread, uint64_t now_ns);

// The same by the thread itself, whose runtime tells it of a wait's end when the profile has ended and it has not been
// cut yet: libomp's workers hear of their last region's end as they are made to end. Otherwise nothing.
void CutOwnWaits(ThreadState* thread);

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

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BLAME_WAITS_H_

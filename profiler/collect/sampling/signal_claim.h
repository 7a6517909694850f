// Reacts when the program uses the sampling signal itself: the program takes one of our signals by sigwait and its
// like, or takes the signal over. The wrappers of these functions call it.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_CLAIM_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_CLAIM_H_

#include <signal.h>

namespace ompprof::collect {

// The calling thread, which has the sampling signal blocked, has taken a signal. False: it is none of ours. True: it
// counts for the thread's next sample; if `disarmed` becomes true no more come until ArmThisThreadAgain.
bool TakeStraySample(const siginfo_t& info, bool* disarmed);

// The program wants the sampling signal for itself: stops sampling, for good, with one warning. No signal of ours is
// left that the program could take for its own.
void YieldSignal();

// The same where the program has taken the signal already, past libc. Writer thread, once a round; the warning comes at
// the end (WarnIfSignalWasTaken).
void YieldSignalIfTaken();
void WarnIfSignalWasTaken();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_CLAIM_H_

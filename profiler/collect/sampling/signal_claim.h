// Reacts when the program uses the sampling signal itself: the program takes one of our signals by sigwait and its
// like, or takes the signal over. The wrappers of these functions call it.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_CLAIM_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_CLAIM_H_

#include <signal.h>

namespace ompprof::collect {

// The calling thread, which blocks the sampling signal, has taken a signal. False: the signal is none of ours. True:
// the signal counts for the thread's next sample. If `disarmed` becomes true, no more signals come until
// ArmThisThreadAgain.
bool TakeStraySample(const siginfo_t& info, bool* disarmed);

// The program wants the sampling signal for itself: stops sampling, for good, with one warning. No signal of ours is
// left that the program could take for its own.
void YieldSignal();

// YieldSignal for a program that has taken the signal already, past libc. Writer thread, once a round. The warning
// comes at the end (WarnIfSignalWasTaken).
void YieldSignalIfTaken();
void WarnIfSignalWasTaken();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_CLAIM_H_

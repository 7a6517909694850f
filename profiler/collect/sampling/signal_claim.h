// Handles the program's own use of the sampling signal. The program may take one of our signals by sigwait and similar
// functions, or take the signal over. The wrappers of these functions call it.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_CLAIM_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_CLAIM_H_

#include <signal.h>

namespace ompprof::collect {

// The calling thread, which blocks the sampling signal, has taken a signal. False: the signal is not ours. True: the
// signal counts for the thread's next sample. If `disarmed` becomes true, no more signals come until
// ArmThisThreadAgain.
bool TakeStraySample(const siginfo_t& info, bool* disarmed);

// The program wants the sampling signal for itself: samples by another signal, or, if there is none, stops sampling for
// good, with one warning. Afterwards, no signal of ours is left that the program could take for its own.
void YieldSignal();

// YieldSignal for a program that has already taken the signal without libc. Writer thread, once in each round. The
// warning comes at the end (WarnIfSignalWasTaken).
void YieldSignalIfTaken();
void WarnIfSignalWasTaken();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_CLAIM_H_

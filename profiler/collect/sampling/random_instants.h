// Random instants of wall time at which a thread is signalled. They are a Poisson process: the times between them are
// exponential. So each moment has the same chance to be an instant, also where a sample changes what the program does
// next (R. W. Wolff, Poisson Arrivals See Time Averages, Operations Research 30, 1982). No other distribution serves.
//
// The mean time between a thread's instants may change at any moment, for that process has no memory. An instant stands
// for the mean time with which it was drawn. So threads that sleep have fewer (asleep_signals.h), and sums stay right.
//
// All of this is async-signal-safe, in the sampled thread, except for Create and Destroy.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_RANDOM_INSTANTS_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_RANDOM_INSTANTS_H_

#include <stdint.h>

#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// After each eighth signal in a row that found a thread in the same sleep, its instants are half as many, down to a
// 64th. A signal wakes the thread for some 5 us. A thread that works now and then is asked as often as others: a few
// samples with large weights would not tell its share. Where many threads sleep, all of their instants are rarer.
inline constexpr uint32_t kAsleepEach = 8;
inline constexpr uint32_t kMostAsleep = 6 * kAsleepEach;

// When a thread with rarer instants has used so much CPU time, it works again, and instants are as many as before.
// Without that, 15 of 32 recordings had no sample of 200 ms of work behind a sleep of 5 s. A signal's handler uses
// less.
inline constexpr uint64_t kWorksAgainNs = 1000000;

// As Source::create and Source::destroy.
const char* CreateInstants(ThreadState* thread);
void DestroyInstants(ThreadState* thread);

// The first instants of a thread, or those after it was disarmed. `now`, `cpu_ns`: the monotonic clock, and the
// thread's CPU clock, also below.
void BeginInstants(ThreadState* thread, uint64_t now, uint64_t cpu_ns);

// No more instants. False: this is another process in the thread's memory (vfork), and the timer goes on.
bool EndInstants(ThreadState* thread);

// Draws the next one.
void ToNextInstant(ThreadState* thread, uint64_t now);

// Sets the timer to the instant that was drawn. Not while the thread is in a call that must not be interrupted.
void ToInstant(ThreadState* thread);

// The instants of a thread that was found asleep are as many as others', over two to the power of this.
uint32_t Rarer(const ThreadInstants& instants);

// A signal has found the thread asleep. `same`: in the same sleep as the last signal did.
void CountSleep(ThreadState* thread, uint64_t now, uint64_t cpu_ns, bool same);

// xorshift64 (Marsaglia, Xorshift RNGs, 2003).
uint64_t Random(ThreadInstants* instants);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_RANDOM_INSTANTS_H_

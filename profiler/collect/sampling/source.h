// A source of samples. It makes the kernel signal a running thread, and says how much each signal stands for. Each
// source has its own file. The signal handler is common to all sources.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SOURCE_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SOURCE_H_

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "profiler/collect/thread/thread_state.h"
#include "profiler/config/config.h"

namespace ompprof::collect {

// The quantity of a sample's weight.
enum class WeightKind : uint8_t { kCpuTime, kWallTime, kEvents };

struct Source {
  const char* name;         // Header.source
  const char* weight_unit;  // Header.weight_unit
  WeightKind weight;
  bool fires_asleep;         // signals also interrupt a thread that sleeps
  bool any_thread;           // `create` may be called from another thread
  bool weighs_by_cpu_clock;  // weights add up to the thread's CPU clock: samples stand for it up to the reading in
                             // thread->sampler.last_clock

  bool scales;  // weights are right on average only; the writer scales them to the thread's time

  // Creates the source for `thread`, disarmed. Returns NULL, or a sentence about the failure. Called in the thread
  // itself unless `any_thread`.
  const char* (*create)(ThreadState* thread);
  void (*destroy)(ThreadState* thread);

  // Starts and stops delivery. Any thread.
  void (*arm)(ThreadState* thread);
  void (*disarm)(ThreadState* thread);

  // The weight of the signal; 0 if the signal is not from this source, or does not count. Sets `count` to the number of
  // periods that passed. `context`: the handler's argument; NULL if the program took the signal itself.
  // Async-signal-safe, in the sampled thread.
  uint64_t (*weigh)(ThreadState* thread, const siginfo_t* info, const ucontext_t* context, uint32_t* count);

  // The calling thread blocks the sampling signal from now on, or no longer. Meanwhile no signal comes, and the period
  // continues afterwards. False: nothing was done, because this is another process in the thread's memory (vfork).
  bool (*suspend)(ThreadState* thread);
  bool (*resume)(ThreadState* thread);

  // Sets the distance of samples again, to PeriodOf the thread. Async-signal-safe, in the thread itself.
  void (*repace)(ThreadState* thread);
};

// Sets session.source and session.period from session.config. False: no source delivers; `error` holds a sentence.
bool ChooseSource(char* error, size_t size);

// The usual weight of a sample of this thread: session.period, or a multiple of it.
uint64_t PeriodOf(const ThreadState& thread);

// The sources.
extern const Source kOnCpuTimer;       // random instants of wall time at which the thread is on a processor
extern const Source kClockedCpuTimer;  // a CPU timer, which the kernel looks at only at ticks: where instants cannot be
extern const Source kWallTimer;        // random instants of wall time, weighted by wall time
extern const Source kPerfEvent;        // a perf event, weighted by events
extern const Source kHelperTick;       // signals of the helper thread: where the system has no timer for a thread

// Ends the calling thread's source; from now on it has kClockedCpuTimer. Async-signal-safe.
void LeaveToTick(ThreadState* thread);

// For kHelperTick. TickThreads: the helper calls it; the time until it wants to be called again, in nanoseconds; 0:
// when there is such a thread. IsTick: the calling thread was signalled so; true once for each signal. AwaitTick: the
// thread is disarmed, and waits for a signal that may be on its way.
uint64_t TickThreads();
bool IsTick(const siginfo_t& info);
void AwaitTick(const ThreadState& thread);
void ForgetTicks();

// The thread's POSIX timer, whose signals go to the thread. `Set` returns false if this process has no such timer (a
// vforked child). All are async-signal-safe.
const char* CreateTimer(ThreadState* thread, clockid_t clock);
void DestroyTimer(ThreadState* thread);
bool SetTimer(ThreadState* thread, uint64_t first_ns, uint64_t period_ns);
bool SetTimerAt(ThreadState* thread, uint64_t at_ns);  // once, at a reading of the timer's clock; 0: never
bool FromTimer(const ThreadState* thread, const siginfo_t* info);

// A second timer of a thread that is mostly asleep: its signal comes once the thread has used so much CPU time. 0:
// never. `Set` returns false if the kernel has no more timers. All are async-signal-safe.
bool SetWorkTimer(ThreadState* thread, uint64_t cpu_ns);
bool FromWorkTimer(const ThreadState* thread, const siginfo_t* info);
void DestroyWorkTimer(ThreadState* thread);

// A CPU timer at the kernel's tick, beside the perf events.
const char* CreateTickTimer(ThreadState* thread);
void SetTickTimer(ThreadState* thread, bool on);
// As Source::suspend and resume.
bool SuspendTickTimer(ThreadState* thread);
bool ResumeTickTimer(ThreadState* thread);

// Selects the event that kPerfEvent counts. False: this machine has no such event; `error` holds a sentence.
bool SelectPerfEvent(const char* name, char* error, size_t size);
// The length of the kernel's tick in nanoseconds.
uint32_t KernelTickNs();

// A first delay, uniform in (0, period], so that threads do not sample in step. Any thread, not in the handler.
uint64_t RandomPhase(uint64_t period);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SOURCE_H_

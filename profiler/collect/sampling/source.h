// A source of samples. It makes the kernel signal a running thread, and says how much each signal stands for. Each
// source has its own file. The signal handler is common to all sources.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SOURCE_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SOURCE_H_

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

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
  bool weighs_by_cpu_clock;  // weights add up to the thread's CPU clock: since the clock's reading in
                             // thread->last_clock, samples have received thread->credited

  // Creates the source for `thread`, disarmed. Returns NULL, or a sentence about the failure. Called in the thread
  // itself unless `any_thread`.
  const char* (*create)(ThreadState* thread);
  void (*destroy)(ThreadState* thread);

  // Starts and stops delivery. Any thread.
  void (*arm)(ThreadState* thread);
  void (*disarm)(ThreadState* thread);

  // The weight of the signal; 0 if the signal is not from this source. Sets `count` to the number of periods that
  // passed. Async-signal-safe, in the sampled thread.
  uint64_t (*weigh)(ThreadState* thread, const siginfo_t* info, uint32_t* count);

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
extern const Source kCpuTimer;         // CLOCK_THREAD_CPUTIME_ID timer, capped at the kernel's tick
extern const Source kClockedCpuTimer;  // a CPU timer, weighted by CPU time: for threads that block the signal at times
extern const Source kMonotonicCpuTimer;  // CLOCK_MONOTONIC timer, weighted by CPU time: when perf_event is refused
extern const Source kWallTimer;          // CLOCK_MONOTONIC timer, weighted by wall time
extern const Source kPerfTaskClock;      // perf_event task-clock and a CPU timer, weighted by CPU time
extern const Source kPerfEvent;          // any other perf event, weighted by events

// A CPU timer at the kernel's tick, beside the perf events.
const char* CreateTickTimer(ThreadState* thread);
void DestroyTickTimer(ThreadState* thread);
void SetTickTimer(ThreadState* thread, bool on);
// As Source::suspend and resume.
bool SuspendTickTimer(ThreadState* thread);
bool ResumeTickTimer(ThreadState* thread);
bool FromTickTimer(const ThreadState* thread, const siginfo_t* info);

// Selects the event that kPerfEvent counts. False: this machine has no such event; `error` holds a sentence.
bool SelectPerfEvent(const char* name, char* error, size_t size);
// Whether this process can open task-clock at all.
bool PerfTaskClockWorks();

// The length of the kernel's tick in nanoseconds.
uint32_t KernelTickNs();

// A first delay, uniform in (0, period], so that threads do not sample in step. Any thread, not in the handler.
uint64_t RandomPhase(uint64_t period);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SOURCE_H_

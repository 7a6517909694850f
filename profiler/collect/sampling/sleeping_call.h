// System calls that a signal cuts short or makes fail, even with SA_RESTART: sleeps with a timeout, waits for events,
// long transfers. The timer of kOnCpuTimer is off while the program makes such a call through libc. An instant on a
// processor that falls into a call is sampled at its end, as the caller's call of that function. The wrappers in
// process/interpose_sleeps.cc use this file.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SLEEPING_CALL_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SLEEPING_CALL_H_

#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// For the calling thread, which has kOnCpuTimer. `function`: of libc. They leave errno alone, and cost three system
// calls (0.9 us together). Async-signal-safe: the program's signal handlers make
// such calls too.
void BeginSleepingCall(ThreadState* thread);
void EndSleepingCall(ThreadState* thread, uintptr_t function);

// The handler has done its work for a signal that found the thread asleep. It may itself have waited for the process's
// memory, while other threads changed it. That does not end the sleep.
void EndSleepSignal(ThreadState* thread);

// A jump leads out of the calls that the thread was in.
void LeaveSleepingCalls(ThreadState* thread);

// The calling thread has slept in a runtime for long, and works again.
void WorkAfterSleep(ThreadState* thread);

// Called where a runtime tells that a wait of the calling thread has ended. Costs a branch, mostly.
inline void WaitHasEnded(ThreadState* thread) {
  if (__builtin_expect(thread->sampler.instants.asleep != 0, 0)) WorkAfterSleep(thread);
}

class SleepingCall {
 public:
  // `sleeps`: false if this very call cannot be cut short.
  template <typename Function>
  explicit SleepingCall(Function* function, bool sleeps = true)
      : thread_(sleeps ? ThreadWithInstants() : nullptr), function_(reinterpret_cast<uintptr_t>(function)) {
    if (thread_ != nullptr) BeginSleepingCall(thread_);
  }
  ~SleepingCall() {
    if (thread_ != nullptr) EndSleepingCall(thread_, function_);
  }
  // Whether instants can come in calls of this thread.
  static bool IsNeeded() { return ThreadWithInstants() != nullptr; }

  SleepingCall(const SleepingCall&) = delete;
  SleepingCall& operator=(const SleepingCall&) = delete;

 private:
  static ThreadState* ThreadWithInstants() {
    ThreadState* const thread = this_thread;
    return thread != nullptr && thread->sampler.source == &kOnCpuTimer ? thread : nullptr;
  }
  ThreadState* const thread_;
  const uintptr_t function_;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SLEEPING_CALL_H_

// System calls that a signal cuts short or makes fail, even with SA_RESTART: sleeps with a timeout, waits for events,
// long transfers. The timer of kOnCpuTimer is off while the program makes such a call through libc. The wrappers in
// process/interpose_sleeps.cc use this file. The thread's CPU time meanwhile goes to its next sample.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SLEEPING_CALL_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SLEEPING_CALL_H_

#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// For the calling thread, which has kOnCpuTimer. They leave errno alone, and cost two system calls (0.6 us together).
// Async-signal-safe: the program's signal handlers make such calls too.
void BeginSleepingCall(ThreadState* thread);
void EndSleepingCall(ThreadState* thread);

// A jump leads out of the calls that the thread was in.
void LeaveSleepingCalls(ThreadState* thread);

class SleepingCall {
 public:
  // `sleeps`: false if this very call cannot be cut short.
  explicit SleepingCall(bool sleeps = true) : thread_(sleeps ? Instant() : nullptr) {
    if (thread_ != nullptr) BeginSleepingCall(thread_);
  }
  ~SleepingCall() {
    if (thread_ != nullptr) EndSleepingCall(thread_);
  }
  SleepingCall(const SleepingCall&) = delete;
  SleepingCall& operator=(const SleepingCall&) = delete;

 private:
  static ThreadState* Instant() {
    ThreadState* const thread = this_thread;
    return thread != nullptr && thread->sampler.source == &kOnCpuTimer ? thread : nullptr;
  }
  ThreadState* const thread_;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SLEEPING_CALL_H_

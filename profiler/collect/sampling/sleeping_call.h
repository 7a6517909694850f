// System calls that a signal cuts short or makes fail, even with SA_RESTART: sleeps with a timeout, waits for events,
// long transfers. No signal of kOnCpuTimer comes while the program makes such a call through libc, in one of two ways:
//   - the call has a form with a signal mask (ppoll): the kernel blocks the signal for just that call. The timer goes
//     on, and costs nothing while it lasts;
//   - others have the timer off, or, where the helper sends the signal, have the signal blocked.
// An instant on a processor that falls into a call is sampled at its end, as the caller's call of that function. The
// wrappers in process/ use this file.
//
// A call may also be left, without a return: a handler of the program jumps or throws an exception, and pthread_cancel
// and pthread_exit unwind the stack. No destructor of ours runs then: that would need a C++ runtime or libgcc's
// unwinder in the preloaded library. So a wrapper's frame has a function that the unwinder calls when it takes the
// frame away (a personality routine: Itanium C++ ABI, exception handling, 1.6.2). The unwinder needs to be no
// particular one.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SLEEPING_CALL_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SLEEPING_CALL_H_

#include <signal.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// For the calling thread, which has kOnCpuTimer. `function`: of libc. They leave errno alone. Async-signal-safe: the
// program's signal handlers make such calls too.
// With the timer off: three system calls (0.9 us together).
void BeginSleepingCall(ThreadState* thread);
// With the timer on, for a call that blocks the signal itself: no system call, mostly.
void BeginMaskedWait(ThreadState* thread);
// The end of both.
void EndSleepingCall(ThreadState* thread, uintptr_t function);

// The handler has done its work for a signal that found the thread asleep. It may itself have waited for the process's
// memory, while other threads changed it. That does not end the sleep.
void EndSleepSignal(ThreadState* thread);

// A jump or an unwinding leads out of the calls that the thread was in.
void LeaveSleepingCalls(ThreadState* thread);

// Has LeaveSleepingCalls called if the frame of the calling function is unwound.
__attribute__((always_inline)) inline void LeaveCallsWithFrame() {
  // 0x1b: a relative address of 32 bits (DW_EH_PE). The linker drops a function that only unwinding tables name.
  asm volatile(".reloc ., BFD_RELOC_NONE, ompprof_leave_frame\n.cfi_personality 0x1b, ompprof_leave_frame");
}

// A signal handler of the program, which may have come in a masked wait, makes another process or thread: it would
// inherit the wait's mask. Async-signal-safe.
void LeaveWaitMask();

// The calling thread has slept in a runtime for long, and works again.
void WorkAfterSleep(ThreadState* thread);

// Called where a runtime tells that a wait of the calling thread has ended. Costs a branch, mostly.
inline void WaitHasEnded(ThreadState* thread) {
  if (__builtin_expect(thread->sampler.instants.asleep != 0, 0)) WorkAfterSleep(thread);
}

// The calling thread, if instants or ticks can come in its calls. A process that has given up system calls has none.
inline ThreadState* ThreadWithInstants() {
  ThreadState* const thread = this_thread;
  const bool has =
      thread != nullptr && (thread->sampler.source == &kOnCpuTimer || thread->sampler.source == &kHelperTick);
  return has && !session.ended.load(std::memory_order_relaxed) ? thread : nullptr;
}

class SleepingCall {
 public:
  // `sleeps`: false if this very call cannot be cut short.
  template <typename Function>
  __attribute__((always_inline)) explicit SleepingCall(Function* function, bool sleeps = true)
      : thread_(sleeps ? ThreadWithInstants() : nullptr), function_(reinterpret_cast<uintptr_t>(function)) {
    LeaveCallsWithFrame();
    if (thread_ != nullptr) BeginSleepingCall(thread_);
  }
  ~SleepingCall() {
    if (thread_ != nullptr) EndSleepingCall(thread_, function_);
  }

  SleepingCall(const SleepingCall&) = delete;
  SleepingCall& operator=(const SleepingCall&) = delete;

 private:
  ThreadState* const thread_;
  const uintptr_t function_;
};

// A wait that sets a signal mask for itself.
class MaskedWait {
 public:
  // `given`: the program's mask for the wait, to which the sampling signal is added whatever the thread's source is.
  // Null: the thread's own (a system call), in threads with instants.
  template <typename Function>
  __attribute__((always_inline)) explicit MaskedWait(Function* function, const sigset_t* given = nullptr)
      : thread_(ThreadWithInstants()), function_(reinterpret_cast<uintptr_t>(function)), mask_(given) {
    LeaveCallsWithFrame();
    if (thread_ == nullptr) {
      if (given == nullptr || !session.active.load(std::memory_order_relaxed) ||
          session.ended.load(std::memory_order_relaxed))
        return;
      thread_ = this_thread;
    }
    if (given != nullptr) {
      own_ = *given;
    } else {
      sigemptyset(&own_);
      own_.__val[0] = OwnSignalMask();
    }
    sigaddset(&own_, session.config.signal);
    mask_ = &own_;
    if (thread_ != nullptr) BeginMaskedWait(thread_);
  }
  ~MaskedWait() {
    if (thread_ != nullptr) EndSleepingCall(thread_, function_);
  }
  // For the wait. Null: the thread's own.
  const sigset_t* mask() const { return mask_; }

  MaskedWait(const MaskedWait&) = delete;
  MaskedWait& operator=(const MaskedWait&) = delete;

 private:
  ThreadState* thread_;
  const uintptr_t function_;
  const sigset_t* mask_;
  sigset_t own_;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SLEEPING_CALL_H_

// What the sampling signal found a thread in, told from the program's registers and code.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_INTERRUPTED_CALL_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_INTERRUPTED_CALL_H_

#include <stdint.h>
#include <ucontext.h>

namespace ompprof::collect {

enum class Call : uint8_t {
  kNone,
  kGoesOn,   // a signal has interrupted it, and the kernel will continue it
  kFailed,   // a signal has ended it
  kYielded,  // it has just given the processor to another thread
  kWoken,    // it has just been woken in a futex
};

// The system call that the signal found the thread in. `context`: the handler's argument. All are async-signal-safe.
Call InterruptedCall(const ucontext_t& context);

// Whether the arguments are those of a futex's wait, as in pthread_cond_wait or a runtime, which waits again after a
// signal. For calls other than kNone.
bool LooksLikeFutex(const ucontext_t& context);

// For kGoesOn: the kernel puts the number of the call to be continued where its result would be.
bool GoesOnWithFutex(const ucontext_t& context);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_INTERRUPTED_CALL_H_

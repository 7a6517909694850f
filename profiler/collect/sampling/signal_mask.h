// Threads that block the sampling signal. Such a thread receives no signal. A signal would be pending: the program
// could see it by sigpending, or take it by a system call. So the thread's source is off while the signal is blocked,
// from the moment before. The wrappers of functions that change masks call this file, in the thread itself. Nothing
// here locks or allocates, because signal handlers may call these functions.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_MASK_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_MASK_H_

#include <errno.h>
#include <signal.h>

#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// Whether `set` holds the sampling signal. Libraries loaded before us also change masks before the signal is known.
inline bool HoldsSamplingSignal(const sigset_t& set) {
  if (session.config.signal <= 0) return false;
  const unsigned bit = static_cast<unsigned>(session.config.signal) - 1;
  return (set.__val[bit / (8 * sizeof(set.__val[0]))] >> bit % (8 * sizeof(set.__val[0])) & 1) != 0;
}

// Turns the calling thread's source off, or on again. False: the source stayed as it was.
bool SetMasked(ThreadState* thread, bool blocks);

// Whether a call that blocks or unblocks the sampling signal changes anything for the collector, as far as is known.
// System calls without libc and returns from signal handlers change masks too. During a stack walk, libunwind changes
// masks; in our handler, all signals are blocked before and after.
inline bool ChangesMask(bool blocks) {
  const ThreadState* thread = this_thread;
  return thread != nullptr && thread->sampler.armed && thread->sampler.mask.blocks() != blocks &&
         thread->sampler.in_handler == 0 && thread->sampler.busy == 0;
}

// Wraps such a call, which returns 0 on success.
template <typename Call>
int AroundMaskChange(bool blocks, Call call) {
  if (__builtin_expect(!ChangesMask(blocks), 1)) return call();
  ThreadState* thread = this_thread;
  const int saved = errno;
  const bool changed = SetMasked(thread, blocks);
  errno = saved;
  const int result = call();
  const int failure = errno;
  // A handler of the program may have run in between, and may have turned the source on.
  if (changed && (result != 0 || thread->sampler.mask.blocks() != blocks))
    SetMasked(thread, result != 0 ? !blocks : blocks);
  errno = failure;
  return result;
}

// Whether the thread `tid` of this process blocks the sampling signal now, according to the system. Not in the handler.
bool BlocksSamplingSignal(pid_t tid);

// Prepares a thread that must not be armed, because the thread blocks the signal.
void BeginMasked(ThreadState* thread);

// Arms a thread of this process, unless it blocks the signal. Any thread.
void ArmUnlessMasked(ThreadState* thread);

// Arms threads whose masks have changed without our notice. Writer thread, once in each round.
void FindUnmaskedThreads();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_MASK_H_

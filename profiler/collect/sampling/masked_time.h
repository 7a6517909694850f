// The CPU time that a thread uses while it blocks the sampling signal. No sample stands for this time. For sources that
// weigh by the CPU clock. Only the thread itself uses it.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_MASKED_TIME_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_MASKED_TIME_H_

#include <stdint.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// The thread's CPU clock, roughly. A reading is a system call, and some threads change their mask a million times a
// second. So for readings within 50 us of each other, the time that passed counts as time on the processor.
// Async-signal-safe.
inline uint64_t RoughCpuClock(ThreadState* thread) {
  constexpr uint64_t kMomentNs = 50000;
  constexpr uint32_t kGuesses = 64;
  const uint64_t now = NowFor(thread);
  const uint64_t passed = now - thread->sampler.mask.rough_at_ns;
  if (thread->sampler.mask.rough_clock != 0 && passed < kMomentNs && ++thread->sampler.mask.rough_guesses < kGuesses) {
    thread->sampler.mask.rough_clock += passed;
  } else {
    const uint64_t clock = ThreadCpuNs();
    thread->sampler.mask.rough_clock =
        clock > thread->sampler.mask.rough_clock ? clock : thread->sampler.mask.rough_clock;
    thread->sampler.mask.rough_guesses = 0;
  }
  thread->sampler.mask.rough_at_ns = now;
  return thread->sampler.mask.rough_clock;
}

inline void BeginMaskedTime(ThreadState* thread) { thread->sampler.mask.begin_clock = RoughCpuClock(thread); }

// Returns the time.
inline uint64_t EndMaskedTime(ThreadState* thread) {
  const uint64_t passed = RoughCpuClock(thread) - thread->sampler.mask.begin_clock;
  thread->sampler.last_clock += passed;
  thread->sampler.mask.cpu_ns.store(thread->sampler.mask.cpu_ns.load(std::memory_order_relaxed) + passed,
                                    std::memory_order_relaxed);
  return passed;
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_MASKED_TIME_H_

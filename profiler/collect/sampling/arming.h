// Turns the sampling of threads on and off.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_ARMING_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_ARMING_H_

#include <atomic>

#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

// Visits each thread that has a source and has not ended. Any thread, not in the handler.
template <typename Visit>
void ForEachSampledThread(Visit visit) {
  for (ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    if (thread->sampler.armed && thread->lifecycle.load(std::memory_order_acquire) == ThreadState::kLive) visit(thread);
  }
}

// Creates the thread's source, disarmed. If the system refuses, the thread has no samples; a warning (once) and a note
// say so.
void CreateSource(ThreadState* thread);

// PublishThread, for a thread whose source may have been created just before the sampling signal changed from `signal`.
void PublishSampledThread(ThreadState* thread, int signal);

// The program needs a place for a pending signal. Takes a timer away from a thread, which the helper then samples.
// False: no thread has a timer. One thread at a time, with all signals blocked.
bool GiveTimer();

// There will be no helper any more.
void TicksEnd();

// Pauses or continues the sampling of all threads (omp_control_tool, --delay). Idempotent.
void SetCollecting(bool on);

// Arms the calling thread again after its source was off for a while. The time between belongs to the next sample.
void ArmThisThreadAgain();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_ARMING_H_

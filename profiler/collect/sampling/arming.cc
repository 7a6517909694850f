#include "profiler/collect/sampling/arming.h"

#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/blame/waits.h"
#include "profiler/collect/sampling/signal_mask.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {

void CreateSource(ThreadState* thread) {
  static std::atomic<bool> warned{false};
  const char* failure = thread->sampler.source->create(thread);
  if (failure == nullptr) {
    thread->sampler.armed = true;
    return;
  }
  session.unarmed_threads.fetch_add(1, std::memory_order_relaxed);
  if (!warned.exchange(true)) {
    Warn("not every thread is sampled: %s", failure);
    AddNote("not every thread is sampled: %s", failure);
  }
}

void PublishSampledThread(ThreadState* thread, int signal) {
  PublishThread(thread);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!thread->sampler.armed || SamplingSignal() == signal) return;
  thread->sampler.armed = false;
  thread->sampler.source->destroy(thread);
  CreateSource(thread);
}

void SetCollecting(bool on) {
  session.delayed.store(false, std::memory_order_relaxed);
  if (on) CollectingBegins(MonotonicNs());
  if (session.collecting.exchange(on, std::memory_order_seq_cst) == on) return;
  ForEachSampledThread(
      [on](ThreadState* thread) { on ? ArmUnlessMasked(thread) : thread->sampler.source->disarm(thread); });
}

void ArmThisThreadAgain() {
  ThreadState* thread = this_thread;
  if (thread == nullptr || !thread->sampler.armed || thread->sampler.mask.blocks() ||
      !session.collecting.load(std::memory_order_relaxed))
    return;
  // The time that passed meanwhile belongs to the next sample.
  const uint64_t last_clock = thread->sampler.last_clock;
  thread->sampler.source->arm(thread);
  thread->sampler.last_clock = last_clock;
}

}  // namespace ompprof::collect

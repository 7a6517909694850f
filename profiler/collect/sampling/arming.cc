#include "profiler/collect/sampling/arming.h"

#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/blame/waits.h"
#include "profiler/collect/sampling/event_counts.h"
#include "profiler/collect/sampling/signal_handler.h"
#include "profiler/collect/sampling/signal_mask.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/write/writer_wake.h"

namespace ompprof::collect {
namespace {

void Unarm(ThreadState* thread, const char* why) {
  static std::atomic<bool> warned{false};
  thread->sampler.armed = false;
  session.unarmed_threads.fetch_add(1, std::memory_order_relaxed);
  if (warned.exchange(true)) return;
  Warn("not every thread is sampled: %s", why);
  AddNote("not every thread is sampled: %s", why);
}

}  // namespace

namespace {

// Whether the helper can sample the thread.
bool MayHaveTick() { return session.source->weight == WeightKind::kCpuTime && !writer_wake.round_here.load(); }

// Takes the thread's timers away.
void TakeTimers(ThreadState* thread) {
  thread->sampler.source->disarm(thread);
  thread->sampler.source->destroy(thread);
  if (!MayHaveTick()) return Unarm(thread, "the program uses all places for pending signals (ulimit -i)");
  thread->sampler.source = &kHelperTick;
  kHelperTick.create(thread);
  if (session.collecting.load(std::memory_order_relaxed)) ArmUnlessMasked(thread);
}

}  // namespace

bool GiveTimer() {
  ThreadState* found = nullptr;
  bool gave = false;
  ForEachSampledThread([&](ThreadState* thread) {
    if (gave || thread->sampler.source == &kHelperTick) return;
    if (thread->sampler.work.exists) {
      DestroyWorkTimer(thread);
      gave = true;
    } else if (found == nullptr || thread == this_thread) {
      found = thread;
    }
  });
  // A pending signal of a timer that is gone keeps the timer's place, maybe for as long as its thread sleeps.
  static std::atomic<bool> may_be_pending{false};
  if (gave) return true;
  if (found != nullptr) {
    TakeTimers(found);
    may_be_pending.store(true, std::memory_order_relaxed);
    return true;
  }
  if (!may_be_pending.exchange(false)) return false;
  DropPendingSignals();
  return true;
}

void TicksEnd() {
  ForEachSampledThread([](ThreadState* thread) {
    if (thread->sampler.source != &kHelperTick) return;
    thread->sampler.source->disarm(thread);
    Unarm(thread, "there is neither a timer (ulimit -i) nor a helper thread (ulimit -u)");
  });
}

void CreateSource(ThreadState* thread) {
  const char* failure = thread->sampler.source->create(thread);
  if (failure != nullptr && MayHaveTick()) {
    thread->sampler.source = &kHelperTick;
    failure = kHelperTick.create(thread);
  }
  if (failure == nullptr) {
    thread->sampler.armed = true;
    return;
  }
  Unarm(thread, failure);
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
  ForEachSampledThread([on](ThreadState* thread) {
    if (session.counted_events != 0) SetCounting(thread, on);
    on ? ArmUnlessMasked(thread) : thread->sampler.source->disarm(thread);
  });
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

#include "profiler/collect/sampling/signal_mask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/source.h"

namespace ompprof::collect {
namespace {

// A look reads a file of /proc, some 20 us.
constexpr int kMostLooks = 64;

}  // namespace

bool SetMasked(ThreadState* thread, bool blocks) {
  const uint32_t before = thread->sampler.mask.state.load(std::memory_order_relaxed);
  thread->sampler.mask.state.store(((before | 1) + 1) | (blocks ? 1 : 0), std::memory_order_seq_cst);
  if (blocks ? thread->sampler.source->suspend(thread)
             : !session.collecting.load(std::memory_order_seq_cst) || thread->sampler.source->resume(thread)) {
    if (!blocks && !session.collecting.load(std::memory_order_seq_cst)) thread->sampler.source->disarm(thread);
    if (blocks && thread->sampler.mask.changes++ == 0) session.masked_threads.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  thread->sampler.mask.state.store(before, std::memory_order_seq_cst);
  return false;
}

bool BlocksSamplingSignal(pid_t tid) {
  char path[64];
  char text[4096];
  snprintf(path, sizeof(path), "/proc/self/task/%d/status", static_cast<int>(tid));
  text[ReadWholeFile(path, text, sizeof(text) - 1)] = '\0';
  const char* line = strstr(text, "\nSigBlk:");
  if (line == nullptr) return true;
  return (strtoull(line + strlen("\nSigBlk:"), nullptr, 16) >> (session.config.signal - 1) & 1) != 0;
}

void BeginMasked(ThreadState* thread) {
  thread->sampler.last_clock =
      session.source->weight == WeightKind::kWallTime ? MonotonicNs() : ClockNs(ThreadCpuClock(thread->identity.tid));
  thread->sampler.mask.begin_clock = thread->sampler.last_clock;
}

void ArmUnlessMasked(ThreadState* thread) {
  if (thread->sampler.mask.blocks()) {
    BeginMasked(thread);
    return;
  }
  thread->sampler.source->arm(thread);
  if (thread->sampler.mask.blocks()) thread->sampler.source->disarm(thread);
}

// A thread must be found twice, in two rounds: at the first look, it may have been about to block the signal.
void FindUnmaskedThreads() {
  if (!session.collecting.load(std::memory_order_relaxed)) return;
  int looks = 0;
  for (ThreadState* thread = FirstThread(); thread != nullptr && looks < kMostLooks; thread = thread->next) {
    uint32_t state = thread->sampler.mask.state.load(std::memory_order_seq_cst);
    if (!thread->sampler.armed || (state & 1) == 0 ||
        thread->lifecycle.load(std::memory_order_acquire) != ThreadState::kLive)
      continue;
    ++looks;
    if (BlocksSamplingSignal(thread->identity.tid)) {
      thread->sampler.mask.suspect = 0;
    } else if (thread->sampler.mask.suspect != state) {
      thread->sampler.mask.suspect = state;
    } else if (thread->sampler.mask.state.compare_exchange_strong(state, state + 1, std::memory_order_seq_cst)) {
      ArmUnlessMasked(thread);
    }
  }
}

}  // namespace ompprof::collect

#include "profiler/collect/paths/walk_guard.h"

#include "profiler/collect/base/os.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/unwind/permanent_objects.h"
#include "profiler/collect/unwind/safe_read.h"

namespace ompprof::collect {

WalkGuard walk_guard;

namespace {

// The calling thread's part of unloads_.
__thread uint32_t own_unloads __attribute__((tls_model("initial-exec"))) = 0;

}  // namespace

void WalkGuard::EndUnload() {
  --own_unloads;
  unloads_.fetch_sub(1, std::memory_order_seq_cst);
}

void WalkGuard::EndUnloadsOfThisThread() {
  while (own_unloads != 0) EndUnload();
}

void WalkGuard::ForgetOtherThreads() {
  walks_.store(0, std::memory_order_relaxed);
  unloads_.store(own_unloads, std::memory_order_relaxed);
}

bool UnloadsMeetWalks() {
  if (!session.unwinder->reads_checked || !SafeReadsAreAtomic()) return true;
  const RuntimeCode& runtimes = session.runtime_code;
  for (uint32_t i = 0; i < runtimes.count.load(std::memory_order_acquire); ++i) {
    if (!IsPermanent(runtimes.objects[i].low)) return true;
  }
  return false;
}

void WalkGuard::BeginUnload(uint64_t patience_ns) {
  ++own_unloads;
  unloads_.fetch_add(1, std::memory_order_seq_cst);
  const uint64_t deadline = MonotonicNs() + patience_ns;
  for (;;) {
    const uint32_t walks = walks_.load(std::memory_order_seq_cst);
    if (walks == 0 || MonotonicNs() > deadline) return;
    FutexWait(&walks_, walks, 20000);  // nobody wakes this thread: a short sleep
  }
}

}  // namespace ompprof::collect

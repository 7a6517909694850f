#include "profiler/collect/sampling/walk_guard.h"

#include "profiler/collect/os.h"

namespace ompprof::collect {

WalkGuard walk_guard;

void WalkGuard::BeginUnload(uint64_t patience_ns) {
  unloads_.fetch_add(1, std::memory_order_seq_cst);
  const uint64_t deadline = MonotonicNs() + patience_ns;
  for (;;) {
    const uint32_t walks = walks_.load(std::memory_order_seq_cst);
    if (walks == 0 || MonotonicNs() > deadline) return;
    FutexWait(&walks_, walks, 20000);  // nobody wakes it: a short sleep
  }
}

}  // namespace ompprof::collect

// Keeps walks and the unloading of objects apart: a walk reads unwind tables and code of loaded objects, and another
// thread's dlclose would unmap them under it. The handler never waits: while an object is being unloaded it takes no
// walk. dlclose waits for the walks under way, which are a few microseconds each.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_WALK_GUARD_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_WALK_GUARD_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

class WalkGuard {
 public:
  // False: not now. True: LeaveWalk must follow. Async-signal-safe.
  bool EnterWalk() {
    walks_.fetch_add(1, std::memory_order_seq_cst);
    if (unloads_.load(std::memory_order_seq_cst) == 0) return true;
    LeaveWalk();
    return false;
  }
  void LeaveWalk() { walks_.fetch_sub(1, std::memory_order_seq_cst); }

  // Around dlclose, which may be entered again from an object's destructors. Not in the handler. Waits at most
  // `patience_ns` for walks under way.
  void BeginUnload(uint64_t patience_ns);
  void EndUnload() { unloads_.fetch_sub(1, std::memory_order_seq_cst); }

  // In a forked child, where other threads' walks are not. The forking thread may itself be inside dlclose.
  void ForgetWalks() { walks_.store(0, std::memory_order_relaxed); }

 private:
  std::atomic<uint32_t> walks_{0};
  std::atomic<uint32_t> unloads_{0};
};

extern WalkGuard walk_guard;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_WALK_GUARD_H_

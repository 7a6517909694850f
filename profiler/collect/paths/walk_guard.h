// Keeps walks and the unloading of objects apart where a walk reads unwind tables or code that another thread's dlclose
// could unmap under it, or asks a runtime that may go. The handler never waits: while an object is being unloaded it
// takes no walk. dlclose waits for the walks under way, which are a few microseconds each.
//
// dlclose may take long, in the object's destructors or for the loader's lock, and all that while nobody is sampled: so
// it is kept apart only where it must be (UnloadsMeetWalks).
#ifndef OMPPROF_PROFILER_COLLECT_PATHS_WALK_GUARD_H_
#define OMPPROF_PROFILER_COLLECT_PATHS_WALK_GUARD_H_

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
  void EndUnload();

  // The calling thread ends. It may have left dlclose by its cancellation in a destructor.
  void EndUnloadsOfThisThread();

  // In a forked child, where other threads' walks and unloads are not. The forking thread may itself be inside dlclose.
  void ForgetOtherThreads();

 private:
  std::atomic<uint32_t> walks_{0};
  std::atomic<uint32_t> unloads_{0};
};

extern WalkGuard walk_guard;

// Whether dlclose needs the guard: of reads that are not checked, or an OpenMP runtime that may go. Not in the handler.
bool UnloadsMeetWalks();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PATHS_WALK_GUARD_H_

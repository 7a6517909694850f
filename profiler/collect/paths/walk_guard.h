// Keeps walks and the unloading of objects apart. A walk may read unwind tables or code that another thread's dlclose
// unmaps meanwhile, or may ask a runtime that is being unloaded. The handler never waits: while an object is being
// unloaded, it takes no walk. dlclose waits for the walks under way, which take a few microseconds each.
//
// dlclose may take long, in the object's destructors or for the loader's lock. No thread is sampled during this time.
// So the guard is used only where it is necessary (UnloadsMeetWalks).
#ifndef OMPPROF_PROFILER_COLLECT_PATHS_WALK_GUARD_H_
#define OMPPROF_PROFILER_COLLECT_PATHS_WALK_GUARD_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

class WalkGuard {
 public:
  // False: no walk now. True: LeaveWalk must follow. Async-signal-safe.
  bool EnterWalk() {
    walks_.fetch_add(1, std::memory_order_seq_cst);
    if (unloads_.load(std::memory_order_seq_cst) == 0) return true;
    LeaveWalk();
    return false;
  }
  void LeaveWalk() { walks_.fetch_sub(1, std::memory_order_seq_cst); }

  // Called before and after dlclose. An object's destructors may enter dlclose again. Not in the handler. Waits at most
  // `patience_ns` for walks under way.
  void BeginUnload(uint64_t patience_ns);
  void EndUnload();

  // The calling thread ends. A cancellation in a destructor may have ended its dlclose early.
  void EndUnloadsOfThisThread();

  // Called in a forked child, which has no walks and unloads of other threads. The forking thread may itself be inside
  // dlclose.
  void ForgetOtherThreads();

 private:
  std::atomic<uint32_t> walks_{0};
  std::atomic<uint32_t> unloads_{0};
};

extern WalkGuard walk_guard;

// Whether dlclose needs the guard: because reads are not checked, or because an OpenMP runtime may be unloaded. Not in
// the handler.
bool UnloadsMeetWalks();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PATHS_WALK_GUARD_H_

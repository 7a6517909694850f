// The bounds of the OpenMP runtimes' code. Written when a runtime starts the tool, read by every sample.
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_RUNTIME_CODE_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_RUNTIME_CODE_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

// Objects are added and never removed. Another object at the same address later would not be noticed, but a runtime
// with threads is not unloaded.
struct RuntimeCode {
  static constexpr uint32_t kMaxObjects = 4;
  struct Object {
    uintptr_t low;  // [low, high)
    uintptr_t high;
    bool calls_tasks;  // functions that it calls may be the program's, although no marker says so
  };
  Object objects[kMaxObjects];
  std::atomic<uint32_t> count;

  // Called by one thread at a time.
  void Add(uintptr_t low, uintptr_t high, bool calls_tasks) {
    const uint32_t at = count.load(std::memory_order_relaxed);
    if (at == kMaxObjects || Find(low) != nullptr) return;
    objects[at] = {low, high, calls_tasks};
    count.store(at + 1, std::memory_order_release);
  }

  // The object that contains `pc`; NULL if there is none. Async-signal-safe.
  const Object* Find(uintptr_t pc) const {
    const uint32_t known = count.load(std::memory_order_acquire);
    for (uint32_t i = 0; i < known; ++i) {
      if (pc - objects[i].low < objects[i].high - objects[i].low) return &objects[i];
    }
    return nullptr;
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_RUNTIME_CODE_H_

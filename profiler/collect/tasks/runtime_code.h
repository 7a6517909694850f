// The bounds of the OpenMP runtimes' code. Written when a runtime starts the tool, read by every sample.
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_RUNTIME_CODE_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_RUNTIME_CODE_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

// Objects are added and never removed. Another object at the same address later would not be noticed, but a runtime
// with threads is not unloaded.
struct RuntimeCode {
  // Two runtimes, libgomp behind a shim, and an offloading runtime with its plugins.
  static constexpr uint32_t kMaxObjects = 16;

  // The owner of the functions that an object calls, where no marker tells the owner.
  enum class Calls : uint8_t {
    kItsOwn,     // they belong to the object, unless they lie in the object of the user who called the runtime
    kTasks,      // they may be the program's. A runtime that has finalized the tool tells no markers any more
    kOffloaded,  // likewise kItsOwn, but for the program's code for a device (offload_code.h)
  };
  struct Object {
    uintptr_t low;  // [low, high)
    uintptr_t high;
    std::atomic<Calls> calls;
  };
  Object objects[kMaxObjects];
  std::atomic<uint32_t> count;

  // Called by one thread at a time.
  void Add(uintptr_t low, uintptr_t high, Calls calls) {
    const uint32_t at = count.load(std::memory_order_relaxed);
    if (at == kMaxObjects || Find(low) != nullptr) return;
    objects[at].low = low;
    objects[at].high = high;
    objects[at].calls.store(calls, std::memory_order_relaxed);
    count.store(at + 1, std::memory_order_release);
  }

  // Changes the owner for the object that contains `pc`, if it is known.
  void Set(uintptr_t pc, Calls calls) {
    const uint32_t known = count.load(std::memory_order_acquire);
    for (uint32_t i = 0; i < known; ++i) {
      if (pc - objects[i].low < objects[i].high - objects[i].low)
        objects[i].calls.store(calls, std::memory_order_relaxed);
    }
  }

  // False if all runtimes are linked into the program, whose code is the user's as well. Async-signal-safe.
  bool IsKnown() const { return count.load(std::memory_order_relaxed) != 0; }

  // Whether an offloading runtime was loaded when a runtime started the tool. Async-signal-safe.
  bool HasOffload() const {
    const uint32_t known = count.load(std::memory_order_acquire);
    for (uint32_t i = 0; i < known; ++i) {
      if (objects[i].calls == Calls::kOffloaded) return true;
    }
    return false;
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

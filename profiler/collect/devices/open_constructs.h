// The target constructs between their begin and their end. A construct with `nowait` may end on another thread than the
// thread that began it, and a target task may begin on another thread than its creator. Lock-free, in fixed memory.
#ifndef OMPPROF_PROFILER_COLLECT_DEVICES_OPEN_CONSTRUCTS_H_
#define OMPPROF_PROFILER_COLLECT_DEVICES_OPEN_CONSTRUCTS_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/blame/device_debt.h"
#include "profiler/collect/devices/device_table.h"

namespace ompprof::collect {

struct alignas(128) OpenConstruct {
  std::atomic<const void*> identity;  // NULL: free
  uint64_t since_ns;
  uint64_t codeptr_ra;
  uint64_t region;  // codeptr_ra of the innermost region at its creation; 0: none
  uint32_t work;    // DeviceWork
  int device;
  std::atomic<bool> begun;  // false: the target task is created only
  bool nowait;
  // A deferred target task, which its creator may wait for elsewhere.
  bool deferred;
  RegionRef creators_region;  // 0: none
  DeviceDebt debt;
  DevicePath path;
};

class OpenConstructs {
 public:
  // `identity`: the address of the data word of the target task, or of the construct. At most one construct at a time
  // has an address. A runtime may discard a created task without an event. So without a free place, a construct that
  // has not begun loses its place, and then its creator's path. NULL if all have begun.
  OpenConstruct* Take(const void* identity);
  // NULL: unknown.
  OpenConstruct* Find(const void* identity);
  static void Free(OpenConstruct* construct) { construct->identity.store(nullptr, std::memory_order_release); }

  // The number of a construct, from 1, and back. NULL: free, or no number of a construct.
  uint64_t NumberOf(const OpenConstruct* construct) const { return static_cast<uint64_t>(construct - slots_) + 1; }
  OpenConstruct* At(uint64_t number) {
    if (number == 0 || number > kSlots) return nullptr;
    OpenConstruct* construct = &slots_[number - 1];
    return construct->identity.load(std::memory_order_acquire) != nullptr ? construct : nullptr;
  }

  // For a forked child.
  void Forget();

 private:
  static constexpr uint32_t kSlots = 2048;
  static constexpr uint32_t kProbes = 64;
  static uint32_t First(const void* identity);

  std::atomic<bool> used_;
  OpenConstruct slots_[kSlots];
};
extern OpenConstructs open_constructs;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_DEVICES_OPEN_CONSTRUCTS_H_

#include "profiler/collect/devices/open_constructs.h"

#include <initializer_list>

namespace ompprof::collect {

OpenConstructs open_constructs;

uint32_t OpenConstructs::First(const void* identity) {
  return static_cast<uint32_t>((reinterpret_cast<uintptr_t>(identity) * 0x9e3779b97f4a7c15ull) >> 40) % kSlots;
}

OpenConstruct* OpenConstructs::Find(const void* identity) {
  const uint32_t first = First(identity);
  for (uint32_t probe = 0; probe < kProbes; ++probe) {
    OpenConstruct* construct = &slots_[(first + probe) % kSlots];
    if (construct->identity.load(std::memory_order_acquire) == identity) return construct;
  }
  return nullptr;
}

// The runtime may have discarded a task that had the address before.
OpenConstruct* OpenConstructs::Take(const void* identity) {
  const uint32_t first = First(identity);
  for (const bool steal : {false, true}) {
    for (uint32_t probe = 0; probe < kProbes; ++probe) {
      OpenConstruct* construct = &slots_[(first + probe) % kSlots];
      const void* there = construct->identity.load(std::memory_order_acquire);
      if (steal && construct->begun.load(std::memory_order_relaxed)) continue;
      if (there != nullptr && there != identity && !steal) continue;
      if (!construct->identity.compare_exchange_strong(there, identity, std::memory_order_acq_rel)) continue;
      used_.store(true, std::memory_order_relaxed);
      construct->begun.store(false, std::memory_order_relaxed);
      construct->nowait = false;
      construct->deferred = false;
      construct->creators_region = 0;
      construct->debt = {};
      construct->path = {};
      return construct;
    }
  }
  return nullptr;
}

void OpenConstructs::Forget() {
  if (!used_.exchange(false, std::memory_order_relaxed)) return;
  for (OpenConstruct& construct : slots_) Free(&construct);
}

}  // namespace ompprof::collect

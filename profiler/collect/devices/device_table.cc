#include "profiler/collect/devices/device_table.h"

#include <string.h>

#include <initializer_list>

namespace ompprof::collect {

DeviceTable device_table;
KnownDevice known_devices[KnownDevice::kMost];

void DeviceCounts::Add(uint64_t new_bytes, uint64_t ns, uint64_t new_waited_ns) {
  bytes.fetch_add(new_bytes, std::memory_order_relaxed);
  host_ns.fetch_add(ns, std::memory_order_relaxed);
  waited_ns.fetch_add(new_waited_ns, std::memory_order_relaxed);
  if (ns > longest_ns.load(std::memory_order_relaxed)) longest_ns.store(ns, std::memory_order_relaxed);
  // Last: the writer sees by it that the entry has changed.
  count.fetch_add(1, std::memory_order_release);
}

void DeviceCounts::AddTraced(uint64_t ns) {
  traced_ns.fetch_add(ns, std::memory_order_relaxed);
  traced.fetch_add(1, std::memory_order_release);
}

uint64_t DeviceKey::Hash() const {
  uint64_t hash = 0;
  for (const uint64_t part : {codeptr_ra, region, static_cast<uint64_t>(work) << 32 | device, uint64_t{epoch}}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 29;
  }
  return hash != 0 ? hash : 1;
}

DeviceCounts* DeviceTable::Find(const DeviceKey& key) {
  const uint64_t hash = key.Hash();
  for (uint32_t probe = 0; probe < kProbes; ++probe) {
    Slot& slot = slots_[((hash >> 40) + probe) % kSlots];
    uint64_t there = slot.hash.load(std::memory_order_acquire);
    if (there == 0 && slot.hash.compare_exchange_strong(there, hash, std::memory_order_acq_rel)) {
      slot.counts.key = key;
      slot.counts.has_key.store(true, std::memory_order_release);
      return &slot.counts;
    }
    // Another thread may write the key just now. Its hash is enough to count.
    if (there == hash) return &slot.counts;
  }
  return nullptr;
}

void ForgetDevices() {
  device_table.Forget();
  for (KnownDevice& device : known_devices) device.written = false;
}

void DeviceTable::Forget() { memset(static_cast<void*>(this), 0, sizeof *this); }

}  // namespace ompprof::collect

#include "profiler/collect/devices/device_table.h"

#include <string.h>

#include <initializer_list>

#include "profiler/collect/base/notes.h"
#include "profiler/collect/devices/device_timeline.h"

namespace ompprof::collect {

DeviceTable device_table;
KnownDevice known_devices[KnownDevice::kMost];

bool IsAnyDeviceKnown() {
  for (const KnownDevice& device : known_devices) {
    if (device.known.load(std::memory_order_acquire)) return true;
  }
  return false;
}

void DeviceCounts::Add(uint64_t new_bytes, uint64_t ns, uint64_t new_waited_ns) {
  bytes.fetch_add(new_bytes, std::memory_order_relaxed);
  host_ns.fetch_add(ns, std::memory_order_relaxed);
  waited_ns.fetch_add(new_waited_ns, std::memory_order_relaxed);
  last_ns.store(ns, std::memory_order_relaxed);
  if (ns > longest_ns.load(std::memory_order_relaxed)) longest_ns.store(ns, std::memory_order_relaxed);
  // Last: the writer sees by it that the entry has changed.
  count.fetch_add(1, std::memory_order_release);
}

void DeviceCounts::AddWait(uint64_t ns) {
  host_ns.fetch_add(ns, std::memory_order_relaxed);
  waited_ns.fetch_add(ns, std::memory_order_relaxed);
}

void DeviceCounts::AddTraced(uint64_t ns) {
  traced_ns.fetch_add(ns, std::memory_order_relaxed);
  traced.fetch_add(1, std::memory_order_release);
}

uint64_t DeviceKey::Hash() const {
  uint64_t hash = 0;
  for (const uint64_t part : {codeptr_ra, region, static_cast<uint64_t>(work) << 32 | device,
                              static_cast<uint64_t>(path.tree) << 32 | path.node, path.splice_key, uint64_t{epoch}}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 29;
  }
  return hash != 0 ? hash : 1;
}

DeviceCounts* DeviceTable::FindExactly(const DeviceKey& key) {
  const uint64_t hash = key.Hash();
  for (uint32_t probe = 0; probe < kProbes; ++probe) {
    const uint32_t index = static_cast<uint32_t>(((hash >> 40) + probe) % kSlots);
    uint64_t there = hashes_[index].load(std::memory_order_acquire);
    // Another thread may write the key just now. Its hash is enough to count.
    if (there == hash) return &counts_[index];
    if (there != 0) continue;
    if (key.path.node != 0 && paths_.fetch_add(1, std::memory_order_relaxed) >= kMostPaths) {
      paths_.fetch_sub(1, std::memory_order_relaxed);
      return nullptr;
    }
    if (hashes_[index].compare_exchange_strong(there, hash, std::memory_order_acq_rel)) {
      used_.store(true, std::memory_order_relaxed);
      counts_[index].key = key;
      counts_[index].has_key.store(true, std::memory_order_release);
      return &counts_[index];
    }
    if (key.path.node != 0) paths_.fetch_sub(1, std::memory_order_relaxed);
    if (there == hash) return &counts_[index];
  }
  return nullptr;
}

DeviceCounts* DeviceTable::Find(const DeviceKey& key) {
  DeviceCounts* counts = FindExactly(key);
  if (counts != nullptr || key.path.node == 0) return counts;
  if (!overflowed_.exchange(true, std::memory_order_relaxed))
    AddNote(
        "devices were asked from more call paths than can be kept apart: the rest have their target construct, without "
        "a path");
  DeviceKey without_path = key;
  without_path.path = {};
  return FindExactly(without_path);
}

void ForgetDevices() {
  device_table.Forget();
  device_timeline.Forget();
  for (KnownDevice& device : known_devices) device.written = false;
}

// A table that was never used stays without memory.
void DeviceTable::Forget() {
  if (used_.load(std::memory_order_relaxed)) memset(static_cast<void*>(this), 0, sizeof *this);
}

}  // namespace ompprof::collect

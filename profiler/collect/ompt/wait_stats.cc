#include "profiler/collect/ompt/wait_stats.h"

#include "profiler/collect/os.h"

namespace ompprof::collect {
namespace {

bool Same(const WaitKey& a, const WaitKey& b) {
  return a.codeptr_ra == b.codeptr_ra && a.region == b.region && a.wait_id == b.wait_id && a.state == b.state &&
         a.acquired_at == b.acquired_at && a.epoch == b.epoch && a.lock == b.lock;
}

}  // namespace

WaitCounts* WaitStats::Find(const WaitKey& key) {
  const uint64_t mixed = ((key.codeptr_ra ^ key.acquired_at * 3) * 0x9e3779b97f4a7c15ull) ^
                         (key.region * 0xbf58476d1ce4e5b9ull) ^ (key.wait_id * 0x94d049bb133111ebull) ^
                         (static_cast<uint64_t>(key.state) << 40) ^ (static_cast<uint64_t>(key.lock) << 20);
  uint32_t slot = static_cast<uint32_t>(mixed >> 33 ^ mixed >> 12) & (kSlots - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (kSlots - 1)) {
    WaitCounts* counts = entry(slots_[slot] - 1u);
    if (Same(counts->key, key)) return counts;
  }
  const uint32_t index = size_.load(std::memory_order_relaxed);
  if (index == kMaxKeys) return nullptr;
  if (index % kBlock == 0 && blocks_[index / kBlock].load(std::memory_order_relaxed) == nullptr) {
    auto* block = static_cast<WaitCounts*>(MapMemory(sizeof(WaitCounts) * kBlock));
    if (block == nullptr) return nullptr;
    blocks_[index / kBlock].store(block, std::memory_order_release);
  }
  WaitCounts* counts = entry(index);
  counts->key = key;
  slots_[slot] = static_cast<uint16_t>(index + 1);
  size_.store(index + 1, std::memory_order_release);
  return counts;
}

}  // namespace ompprof::collect

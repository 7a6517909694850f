#include "profiler/collect/ompt/region_stats.h"

#include "profiler/collect/os.h"

namespace ompprof::collect {

RegionCounts* RegionStats::Find(uint64_t codeptr_ra, uint32_t level, uint32_t epoch, bool league) {
  const uint64_t mixed = (codeptr_ra * 4 + level) * 0x9e3779b97f4a7c15ull;
  uint32_t slot = static_cast<uint32_t>(mixed >> 40) & (kSlots - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (kSlots - 1)) {
    RegionCounts* counts = entry(slots_[slot] - 1u);
    if (counts->codeptr_ra == codeptr_ra && counts->level == level && counts->epoch == epoch &&
        counts->league == league)
      return counts;
  }
  const uint32_t index = size_.load(std::memory_order_relaxed);
  if (index == kMaxConstructs) return nullptr;
  if (index % kBlock == 0 && blocks_[index / kBlock].load(std::memory_order_relaxed) == nullptr) {
    auto* block = static_cast<RegionCounts*>(MapMemory(sizeof(RegionCounts) * kBlock));
    if (block == nullptr) return nullptr;
    blocks_[index / kBlock].store(block, std::memory_order_release);
  }
  RegionCounts* counts = entry(index);
  counts->codeptr_ra = codeptr_ra;
  counts->level = level;
  counts->epoch = epoch;
  counts->league = league;
  slots_[slot] = static_cast<uint16_t>(index + 1);
  size_.store(index + 1, std::memory_order_release);
  return counts;
}

}  // namespace ompprof::collect

#include "profiler/collect/ompt/region_stats.h"

#include "profiler/collect/os.h"

namespace ompprof::collect {
namespace {

template <typename Number>
void KeepRange(bool first, Number value, std::atomic<Number>* least, std::atomic<Number>* most) {
  if (first || value < least->load(std::memory_order_relaxed)) least->store(value, std::memory_order_relaxed);
  if (value > most->load(std::memory_order_relaxed)) most->store(value, std::memory_order_relaxed);
}

}  // namespace

void RegionCounts::AddBegin(uint32_t requested_team) {
  KeepRange(invocations.load(std::memory_order_relaxed) == 0, requested_team, &requested_min, &requested_max);
  Add(&invocations, 1);
}

void RegionCounts::AddEnd(uint64_t elapsed, uint32_t team) {
  const bool first = ended.load(std::memory_order_relaxed) == 0;
  KeepRange(first, elapsed, &elapsed_min_ns, &elapsed_max_ns);
  KeepRange(first, team, &actual_min, &actual_max);
  Add(&elapsed_ns, elapsed);
  Add(&actual_sum, team);
  Add(&ended, 1);
}

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

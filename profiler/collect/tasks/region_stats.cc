#include "profiler/collect/tasks/region_stats.h"

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

}  // namespace ompprof::collect

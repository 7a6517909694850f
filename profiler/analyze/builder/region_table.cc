#include "profiler/analyze/builder/region_table.h"

#include <algorithm>

#include "profiler/analyze/view/state_kind.h"

namespace ompprof::analyze {
namespace {

// The profiler's time in the region, time in MPI, and waiting in libraries there, are no useful time of the program.
// Samples give these times for the region as a whole. The busiest and the least busy threads get their shares by
// proportion.
void TakeUselessTimeOut(Region* region) {
  if (region->useful_ns == 0) return;
  const auto useless =
      static_cast<double>(region->own_useful_weight + region->library_wait_weight + region->mpi_weight);
  const double left = 1 - std::min(1.0, useless / static_cast<double>(region->useful_ns));
  for (uint64_t* useful : {&region->useful_ns, &region->useful_max_ns, &region->useful_min_ns})
    *useful = static_cast<uint64_t>(static_cast<double>(*useful) * left);
}

void ForgetWaits(Region* region) {
  region->end_wait_ns = region->barrier_wait_ns = region->task_wait_ns = region->lock_wait_ns = 0;
  region->useful_ns = region->useful_max_ns = region->useful_min_ns = 0;
  region->team_ns = region->partial_ns = 0;
  region->estimated = 0;
  region->end_wait_estimate = region->barrier_wait_estimate = region->task_wait_estimate =
      region->lock_wait_estimate = {};
}

}  // namespace

Region& RegionTable::At(FunctionId construct) {
  const auto [entry, added] = index_.emplace(construct, regions_.size());
  if (added) {
    regions_.emplace_back();
    regions_.back().construct = construct;
  }
  return regions_[entry->second];
}

void RegionTable::Add(FunctionId construct, const RegionStats& stats) {
  Region& region = At(construct);
  const bool first = region.invocations == 0;
  const auto lowest = [first](uint32_t& low, uint32_t value) { low = first ? value : std::min(low, value); };
  lowest(region.team_min, stats.actual_min());
  lowest(region.requested_min, stats.requested_min());
  lowest(region.nesting_level, stats.nesting_level());
  region.team_max = std::max(region.team_max, stats.actual_max());
  region.requested_max = std::max(region.requested_max, stats.requested_max());
  region.invocations += stats.invocations();
  region.ended += stats.ended();
  region.elapsed_ns += stats.elapsed_ns();
  region.elapsed_max_ns = std::max(region.elapsed_max_ns, stats.elapsed_max_ns());
  region.team_sum += stats.actual_sum();
  region.end_wait_ns += stats.end_wait_ns();
  region.useful_ns += stats.useful_ns();
  region.useful_max_ns += stats.useful_max_ns();
  region.useful_min_ns += stats.useful_min_ns();
  region.team_ns += stats.team_ns();
  region.partial_ns += stats.partial_ns();
  region.estimated += stats.estimated();
}

void RegionTable::AddWaits(const std::vector<WaitTotal>& waits) {
  for (const WaitTotal& wait : waits) {
    if (wait.charge || wait.region == kNoFunction) continue;
    Region& region = At(wait.region);
    switch (KindOf(wait.state)) {
      case StateKind::kRegionEnd:
        region.end_wait_estimate.Add(wait.estimate);
        break;  // the time is RegionStats.end_wait_ns, cut at the region's end
      case StateKind::kBarrier:
        region.barrier_wait_ns += wait.total_ns;
        region.barrier_wait_estimate.Add(wait.estimate);
        break;
      case StateKind::kTasks:
        region.task_wait_ns += wait.total_ns;
        region.task_wait_estimate.Add(wait.estimate);
        break;
      case StateKind::kLock:
        region.lock_wait_ns += wait.total_ns;
        region.lock_wait_estimate.Add(wait.estimate);
        break;
      default:
        break;
    }
  }
}

void RegionTable::Finish(bool waits_recorded) {
  for (Region& region : regions_) {
    if (!waits_recorded) ForgetWaits(&region);
    TakeUselessTimeOut(&region);
  }
  std::stable_sort(regions_.begin(), regions_.end(), [](const Region& a, const Region& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.elapsed_ns > b.elapsed_ns;
  });
}

}  // namespace ompprof::analyze

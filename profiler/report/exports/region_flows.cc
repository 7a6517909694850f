#include "profiler/report/exports/region_flows.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace ompprof::report {
namespace {

uint64_t Overlap(const RegionSlice& a, const RegionSlice& b) {
  const uint64_t begin = std::max(a.begin_us, b.begin_us);
  const uint64_t end = std::min(a.end_us, b.end_us);
  return begin < end ? end - begin : 0;
}

bool IsInitial(const analyze::View& view, const RegionSlice& slice) {
  const analyze::ThreadFacts* thread = view.run.process(slice.process).FindThread(slice.thread);
  return thread != nullptr && thread->kind == analyze::ThreadKind::kInitial;
}

bool OfEarlierRegion(const RegionSlice& a, const RegionSlice& b) {
  return std::tie(a.process, a.region) < std::tie(b.process, b.region);
}

bool Before(const RegionSlice& a, const RegionSlice& b) {
  return std::tie(a.process, a.region, a.begin_us) < std::tie(b.process, b.region, b.begin_us);
}

}  // namespace

std::vector<RegionFlow> RegionFlows(const analyze::View& view, std::vector<RegionSlice> slices) {
  std::set<analyze::FunctionId> outermost;
  for (const analyze::Region& region : view.regions) {
    if (region.nesting_level == 0) outermost.insert(region.construct);
  }
  std::sort(slices.begin(), slices.end(), Before);
  const auto first_worker =
      std::stable_partition(slices.begin(), slices.end(), [&](const auto& slice) { return IsInitial(view, slice); });
  std::vector<RegionFlow> flows;
  for (auto worker = first_worker; worker != slices.end(); ++worker) {
    if (outermost.count(worker->region) == 0) continue;
    // A thread's slices do not overlap. So the candidates are the last slice that begins before the worker's, and the
    // slices that begin within it.
    const auto [first, last] = std::equal_range(slices.begin(), first_worker, *worker, OfEarlierRegion);
    auto at = std::upper_bound(first, last, *worker, Before);
    if (at != first) --at;
    const RegionSlice* best = nullptr;
    for (; at != last && at->begin_us < worker->end_us; ++at) {
      const uint64_t overlap = Overlap(*at, *worker);
      if (overlap != 0 && (best == nullptr || overlap > Overlap(*best, *worker))) best = &*at;
    }
    if (best != nullptr) flows.push_back({*best, *worker, std::max(best->begin_us, worker->begin_us)});
  }
  return flows;
}

}  // namespace ompprof::report

#include "profiler/analyze/builder/short_waits.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

// The waits of a thread in a state.
struct ThreadWaits {
  uint64_t all_ns = 0;
  double all_variance = 0;
  uint64_t placed_ns = 0;
  double placed_variance = 0;
  struct InRegion {
    uint64_t all_ns = 0;
    uint64_t placed_ns = 0;
    uint64_t unplaced_ns() const { return all_ns - std::min(all_ns, placed_ns); }
  };
  std::map<FunctionId, InRegion> regions;
};

bool StandsFor(const FrameTable& frames, LocationId id, FunctionId construct) {
  const Location& location = frames.location(id);
  for (uint32_t i = 0; i < location.line_count; ++i) {
    if (frames.line(location.first_line + i).function == construct) return true;
  }
  return false;
}

bool SameFunctions(const FrameTable& frames, LocationId a, LocationId b) {
  const Location& one = frames.location(a);
  const Location& other = frames.location(b);
  if (one.line_count != other.line_count) return false;
  for (uint32_t i = 0; i < one.line_count; ++i) {
    if (frames.line(one.first_line + i).function != frames.line(other.first_line + i).function) return false;
  }
  return true;
}

// The part of `a` that has the functions of `b`, from the root on. A function's calls are at many addresses.
PathId CommonPath(const View& view, PathId a, PathId b) {
  const std::vector<LocationId> of_a = view.paths.Locations(a);
  const std::vector<LocationId> of_b = view.paths.Locations(b);
  size_t common = 0;
  while (common < of_a.size() && common < of_b.size() && SameFunctions(view.frames, of_a[common], of_b[common]))
    ++common;
  for (size_t depth = of_a.size(); depth > common; --depth) a = view.paths.node(a).parent;
  return a;
}

// The path of each region's construct, by samples in the region. Of a region with several paths: what they have in
// common. A region without samples has no entry.
std::map<FunctionId, PathId> PathsOfRegions(View* view) {
  struct Callers {
    PathId path;
    bool several = false;
  };
  std::map<FunctionId, Callers> regions;
  std::set<std::pair<FunctionId, PathId>> seen;
  for (const ViewSample& sample : view->samples) {
    if (sample.region == kNoFunction || !seen.insert({sample.region, sample.path}).second) continue;
    PathId construct = sample.path;
    while (construct != kEmptyPath && !StandsFor(view->frames, view->paths.node(construct).location, sample.region))
      construct = view->paths.node(construct).parent;
    if (construct == kEmptyPath) continue;
    const PathId path = view->paths.node(construct).parent;
    const auto [known, added] = regions.emplace(sample.region, Callers{path});
    if (added) continue;
    const PathId common = CommonPath(*view, known->second.path, path);
    known->second.several |=
        view->paths.Locations(common).size() < view->paths.Locations(path).size() || common != known->second.path;
    known->second.path = common;
  }
  std::map<FunctionId, PathId> of_regions;
  for (const auto& [construct, callers] : regions) {
    const LocationId location = view->frames.AddLocation({}, {{construct, view->frames.function(construct).line}});
    of_regions[construct] = callers.several ? callers.path : view->paths.Child(callers.path, location);
  }
  return of_regions;
}

using WaitsKey = std::tuple<uint32_t, uint32_t, OmptState>;  // process, thread and state

// Adds the waits that have no place, below their regions.
void PlaceShortWaits(const std::map<WaitsKey, ThreadWaits>& waits, View* view) {
  std::optional<LocationId> frame;
  std::map<FunctionId, PathId> of_regions;
  for (const auto& [key, of_thread] : waits) {
    if (of_thread.all_ns <= of_thread.placed_ns) continue;
    if (!frame) {
      frame = view->frames.AddPseudo(kShortWaits);
      of_regions = PathsOfRegions(view);
    }
    const uint64_t rest_ns = of_thread.all_ns - of_thread.placed_ns;
    const double variance = std::max(0.0, of_thread.all_variance - of_thread.placed_variance);
    uint64_t unplaced_ns = 0;
    for (const auto& [region, in_region] : of_thread.regions) unplaced_ns += in_region.unplaced_ns();
    uint64_t left_ns = rest_ns;
    for (const auto& [region, in_region] : of_thread.regions) {
      if (in_region.unplaced_ns() == 0) continue;
      // A wait's path may tell another region than its event: then the regions' parts are more than the rest.
      const double part = static_cast<double>(in_region.unplaced_ns()) / static_cast<double>(unplaced_ns);
      unplaced_ns -= in_region.unplaced_ns();
      const auto ns = static_cast<uint64_t>(std::llround(part * static_cast<double>(left_ns)));
      if (ns == 0) continue;
      left_ns -= ns;
      const auto known = of_regions.find(region);
      ViewSample sample{};
      sample.path = view->paths.Child(known == of_regions.end() ? kEmptyPath : known->second, *frame);
      std::tie(sample.process, sample.thread, sample.state) = key;
      sample.region = kNoFunction;
      sample.in_wait = true;
      sample.cost.wait = ns;
      sample.cost.wait_variance = variance * static_cast<double>(ns) / static_cast<double>(rest_ns);
      view->samples.push_back(sample);
      view->total_wait += ns;
    }
  }
}

}  // namespace

void AddShortWaits(View* view) {
  std::map<WaitsKey, ThreadWaits> waits;  // by process, thread and state
  for (const WaitTotal& wait : view->waits) {
    if (wait.charge) continue;
    ThreadWaits& of_thread = waits[{wait.process, wait.thread, wait.state}];
    of_thread.all_ns += wait.total_ns;
    of_thread.all_variance += wait.estimate.variance;
    of_thread.regions[wait.region].all_ns += wait.total_ns;
  }
  for (const ViewSample& sample : view->samples) {
    if (sample.cost.wait == 0) continue;
    ThreadWaits& of_thread = waits[{sample.process, sample.thread, sample.state}];
    of_thread.placed_ns += sample.cost.wait;
    of_thread.placed_variance += sample.cost.wait_variance;
    of_thread.regions[sample.region].placed_ns += sample.cost.wait;
  }
  for (ViewSample& sample : view->samples) {
    if (sample.cost.wait == 0) continue;
    const ThreadWaits& of_thread = waits[{sample.process, sample.thread, sample.state}];
    if (of_thread.placed_ns <= of_thread.all_ns || of_thread.all_ns == 0) continue;
    const double part = static_cast<double>(of_thread.all_ns) / static_cast<double>(of_thread.placed_ns);
    const auto wait = static_cast<uint64_t>(part * static_cast<double>(sample.cost.wait));
    view->total_wait -= sample.cost.wait - wait;
    sample.cost.wait = wait;
    sample.cost.wait_variance *= part * part;
  }
  PlaceShortWaits(waits, view);
}

}  // namespace ompprof::analyze

#include "profiler/analyze/advice/atomic_advice.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "profiler/analyze/advice/advice_run.h"
#include "profiler/analyze/advice/processor_advice.h"
#include "profiler/analyze/view/state_kind.h"
#include "profiler/analyze/view/system_objects.h"

namespace ompprof::analyze {
namespace {

// Of the view's weight: a location with less is not looked at.
constexpr double kLeastAtomicShare = 0.005;

// The location of the instruction at which a team's thread was; 0: the sample tells none.
LocationId InstructionOf(const View& view, const ViewSample& sample) {
  if (sample.own || sample.in_wait || sample.region == kNoFunction || !MayWork(sample.state) ||
      sample.path == kEmptyPath)
    return 0;
  const LocationId leaf = view.paths.node(sample.path).location;
  return view.frames.location(leaf).place.object == 0 ? 0 : leaf;
}

bool IsSystemHeader(const std::string& file) {
  return file.rfind("/usr/include/", 0) == 0 || file.rfind("/usr/lib/", 0) == 0 ||
         file.find("/include/c++/") != std::string::npos;
}

// The innermost line of a path that is the program's own and not std::atomic's.
Line OwnLine(const View& view, PathId path) {
  for (; path != kEmptyPath; path = view.paths.node(path).parent) {
    const Location& location = view.frames.location(view.paths.node(path).location);
    for (uint32_t i = 0; i < location.line_count; ++i) {
      const Line& line = view.frames.line(location.first_line + i);
      if (!IsSystemHeader(view.frames.function(line.function).file)) return line;
    }
  }
  return {};
}

// The atomic updates of one region.
struct Updates {
  std::map<std::pair<FunctionId, uint32_t>, std::pair<uint64_t, Line>> weights;  // by function and line
  std::set<std::pair<uint32_t, uint32_t>> threads;
  uint64_t weight = 0;

  void Add(const ViewSample& sample, const Line& line) {
    auto& [of_line, place] = weights[{line.function, line.line}];
    of_line += sample.cost.weight;
    place = line;
    threads.insert({sample.process, sample.thread});
    weight += sample.cost.weight;
  }

  Line Most() const {
    const auto most = std::max_element(weights.begin(), weights.end(),
                                       [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
    return most->second.second;
  }
};

}  // namespace

std::set<LocationId> AtomicLocations(const View& view, model::Symbolizer* symbolizer) {
  std::map<LocationId, uint64_t> weights;
  for (const ViewSample& sample : view.samples) {
    const LocationId location = InstructionOf(view, sample);
    if (location != 0) weights[location] += sample.cost.weight;
  }
  std::set<LocationId> atomics;
  const double least = kLeastAtomicShare * static_cast<double>(view.total_weight);
  for (const auto& [location, weight] : weights) {
    const model::CodeAddress place = view.frames.location(location).place;
    if (weight == 0 || static_cast<double>(weight) < least) continue;
    if (!IsLanguageLibrary(view.objects[place.object]) && symbolizer->IsAtAtomic(place)) atomics.insert(location);
  }
  return atomics;
}

void AdviseOnAtomics(const AdviceRun& run, const std::set<LocationId>& atomics, std::vector<Advice>* all) {
  if (atomics.empty() || run.view.kind != ViewKind::kUser || !run.view.run.weighs_ns()) return;
  std::map<FunctionId, Updates> regions;
  for (const ViewSample& sample : run.view.samples) {
    if (atomics.count(InstructionOf(run.view, sample)) != 0)
      regions[sample.region].Add(sample, OwnLine(run.view, sample.path));
  }
  for (const Region& region : run.view.regions) {
    const auto found = regions.find(region.construct);
    if (found == regions.end() || found->second.threads.size() < 2 || region.MeanTeam() < 1.5) continue;
    const Updates& updates = found->second;
    // What replaces an atomic update costs something as well, and so does what waited behind it.
    const uint64_t without = ElapsedWithout(run.view, region, 0, /*moves_work=*/false, updates.weight / 2);
    const uint64_t gain = run.OfEachProcess(static_cast<double>(region.elapsed_ns - without));
    if (!run.Worthwhile(gain, kWorthwhile * ProcessorShare(run.view)) || !run.IsBeyondChance(updates.weight)) continue;
    Advice& advice = AddAdvice(AdviceKind::kAtomicUpdates, region.construct, gain, all);
    advice.place = updates.Most();
    advice.wait_ns = updates.weight;
    advice.of_ns = region.busy_weight;
    advice.threads = region.MeanTeam();
  }
}

}  // namespace ompprof::analyze

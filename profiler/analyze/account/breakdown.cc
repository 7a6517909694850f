#include "profiler/analyze/account/breakdown.h"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

#include "profiler/analyze/view/omp_state.h"
#include "profiler/analyze/view/process_labels.h"

namespace ompprof::analyze {
namespace {

// The key and the name of a sample's value in a dimension.
struct Values {
  std::function<uint64_t(const ViewSample&)> key;
  std::function<std::string(const ViewSample&)> name;
};

Values ValuesOf(const View& view, Dimension dimension) {
  const auto pair = [](uint32_t a, uint32_t b) { return uint64_t{a} << 32 | b; };
  switch (dimension) {
    case Dimension::kThread:
      return {
          [pair](const ViewSample& sample) { return pair(sample.process, sample.thread); },
          [labels = view.run.several() ? ProcessLabels(view) : std::vector<std::string>()](const ViewSample& sample) {
            return (labels.empty() ? "thread " : labels[sample.process] + "/") + std::to_string(sample.thread);
          }};
    case Dimension::kRank:
      return {[](const ViewSample& sample) { return uint64_t{sample.process}; },
              [&view](const ViewSample& sample) {
                const std::string& rank = view.run.process(sample.process).rank;
                return rank.empty() ? std::string("no rank") : "rank " + rank;
              }};
    case Dimension::kState:
      return {[pair](const ViewSample& sample) { return pair(sample.process, static_cast<uint32_t>(sample.state)); },
              [&view](const ViewSample& sample) { return StateName(view.run.process(sample.process), sample.state); }};
    case Dimension::kRegion:
      return {[](const ViewSample& sample) { return uint64_t{sample.region}; },
              [&view](const ViewSample& sample) {
                return sample.region == kNoFunction ? std::string("<no region>")
                                                    : view.frames.function(sample.region).name;
              }};
    case Dimension::kPhase:
      return {[](const ViewSample& sample) { return uint64_t{sample.phase}; },
              [&view](const ViewSample& sample) {
                return sample.phase == 0 ? std::string("<no phase>") : view.phases[sample.phase];
              }};
  }
  return {};
}

// The function costs of some samples. FunctionCosts needs the call tree of the whole profile. Here, each sample's path
// is walked instead, so many slices cost no more than one.
class SliceCosts {
 public:
  SliceCosts(const View& view, bool lines) : view_(view), lines_(lines) {}

  void Add(const ViewSample& sample, std::vector<FunctionCost>* costs, std::unordered_map<uint64_t, size_t>* index) {
    ++visit_;
    bool leaf = true;
    for (PathId path = sample.path; path != kEmptyPath; path = view_.paths.node(path).parent) {
      const Location& location = view_.frames.location(view_.paths.node(path).location);
      for (uint32_t i = 0; i < location.line_count; ++i) {
        const Line& line = view_.frames.line(location.first_line + i);
        const uint32_t number = lines_ ? line.line : 0;
        const uint64_t key = uint64_t{line.function} << 32 | number;
        const auto [entry, added] = index->emplace(key, costs->size());
        if (added) costs->push_back({line.function, number, {}, {}});
        FunctionCost& cost = (*costs)[entry->second];
        if (leaf) cost.self.Add(sample.cost);
        leaf = false;
        uint64_t& last = last_visit_[key];
        if (last != visit_) cost.total.Add(sample.cost);  // once where the function calls itself
        last = visit_;
      }
    }
  }

 private:
  const View& view_;
  bool lines_;
  uint64_t visit_ = 0;
  std::unordered_map<uint64_t, uint64_t> last_visit_;
};

}  // namespace

bool HasDimension(const View& view, Dimension dimension) {
  switch (dimension) {
    case Dimension::kRank:
      return std::any_of(view.run.processes.begin(), view.run.processes.end(),
                         [](const ProcessFacts& process) { return !process.rank.empty(); });
    case Dimension::kPhase:
      return view.phases.size() > 1;
    default:
      return true;
  }
}

std::vector<Slice> BreakDown(const View& view, Dimension dimension, bool lines, Metric metric) {
  if (!HasDimension(view, dimension)) return {};
  const Values values = ValuesOf(view, dimension);
  std::vector<Slice> slices;
  std::vector<std::unordered_map<uint64_t, size_t>> indexes;
  std::unordered_map<uint64_t, size_t> slice_of;
  std::map<std::string, size_t> slice_by_name;  // several keys may have one name: a state in several processes
  SliceCosts costs(view, lines);
  for (const ViewSample& sample : view.samples) {
    if (sample.interval) continue;  // a stretch of the timeline, without a cost
    const auto [entry, added] = slice_of.emplace(values.key(sample), 0);
    if (added) {
      const auto [named, fresh] = slice_by_name.emplace(values.name(sample), slices.size());
      if (fresh) {
        slices.push_back({named->first, {}, {}});
        indexes.emplace_back();
      }
      entry->second = named->second;
    }
    Slice& slice = slices[entry->second];
    slice.cost.Add(sample.cost);
    costs.Add(sample, &slice.functions, &indexes[entry->second]);
  }
  for (Slice& slice : slices) SortCosts(metric, &slice.functions);
  std::stable_sort(slices.begin(), slices.end(), [metric](const Slice& a, const Slice& b) {
    return CostIn(a.cost, metric) > CostIn(b.cost, metric);
  });
  return slices;
}

}  // namespace ompprof::analyze

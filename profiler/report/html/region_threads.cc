#include "profiler/report/html/region_threads.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "profiler/analyze/view/omp_state.h"
#include "profiler/report/basics/names_text.h"
#include "proto/ompt_state.h"

namespace ompprof::report {
namespace {

constexpr size_t kMostListed = 24;

struct Collected {
  std::map<std::pair<std::string, std::string>, LastArriver> last;  // by thread and place
  std::map<std::pair<std::string, std::string>, RegionWait> waits;  // by state and place
};

template <class Map, class Less>
auto Largest(const Map& map, Less less) {
  std::vector<typename Map::mapped_type> all;
  for (const auto& [key, value] : map) all.push_back(value);
  std::stable_sort(all.begin(), all.end(), less);
  if (all.size() > kMostListed) all.resize(kMostListed);
  return all;
}

}  // namespace

std::vector<RegionThreads> BuildRegionThreads(const analyze::View& view, const ThreadRows& rows) {
  std::vector<RegionThreads> regions(view.regions.size());
  std::vector<Collected> collected(view.regions.size());
  std::unordered_map<analyze::FunctionId, size_t> index;
  for (size_t i = 0; i < regions.size(); ++i) {
    regions[i].useful.resize(rows.rows().size());
    regions[i].samples.resize(rows.rows().size());
    regions[i].wait_ns.resize(rows.rows().size());
    index.emplace(view.regions[i].construct, i);
  }
  for (const analyze::ViewSample& sample : view.samples) {
    const auto entry = index.find(sample.region);
    if (entry == index.end() || IsWaiting(TimeClassOf(sample.state))) continue;
    const uint32_t row = rows.Of(sample.process, sample.thread);
    regions[entry->second].useful[row] += sample.cost.weight;
    regions[entry->second].samples[row] += sample.cost.samples;
  }
  for (const analyze::WaitTotal& wait : view.waits) {
    const auto entry = index.find(wait.region);
    if (entry == index.end() || wait.charge || wait.state == OmptState::kIdle) continue;
    Collected& at = collected[entry->second];
    RegionThreads& region = regions[entry->second];
    const uint32_t row = rows.Of(wait.process, wait.thread);
    region.wait_ns[row] += wait.total_ns;
    std::vector<uint64_t>& of_class = region.wait_by_class[TimeClassOf(wait.state)];
    of_class.resize(rows.rows().size());
    of_class[row] += wait.total_ns;
    const std::string place = PlaceText(view, wait.place);
    if (wait.last_count != 0) {
      const std::string thread = rows.Label(wait.process, wait.thread);
      LastArriver& last = at.last[{thread, place}];
      last.thread = thread;
      last.at = place;
      last.count += wait.last_count;
      last.by_ns += wait.last_by_ns;
    }
    const std::string state = analyze::StateName(view.run.process(wait.process), wait.state);
    RegionWait& total = at.waits[{state, place}];
    total.state = state;
    total.time_class = TimeClassOf(wait.state);
    total.at = place;
    total.count += wait.count;
    total.wait_ns += wait.total_ns;
    total.max_ns = std::max(total.max_ns, wait.max_ns);
    total.estimate.Add(wait.estimate);
  }
  for (size_t i = 0; i < regions.size(); ++i) {
    regions[i].last =
        Largest(collected[i].last, [](const LastArriver& a, const LastArriver& b) { return a.by_ns > b.by_ns; });
    regions[i].waits =
        Largest(collected[i].waits, [](const RegionWait& a, const RegionWait& b) { return a.wait_ns > b.wait_ns; });
  }
  return regions;
}

}  // namespace ompprof::report

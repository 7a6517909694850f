#include "profiler/analyze/phases.h"

#include <algorithm>
#include <map>

namespace ompprof::analyze {

std::vector<PhaseCost> PhaseCosts(const View& view) {
  std::vector<Cost> self(view.phases.size());
  for (const ViewSample& sample : view.samples) self[sample.phase].Add(sample);

  std::map<std::string, PhaseCost> by_name;
  for (uint32_t phase = 1; phase < self.size(); ++phase) {
    const Cost& cost = self[phase];
    if (cost.samples == 0 && cost.weight == 0 && cost.wait == 0 && cost.all_blame() == 0) continue;
    const std::string& name = view.phases[phase];
    by_name[name].self.Add(cost);
    for (size_t end = 0; end != std::string::npos;) {
      end = name.find('/', end + 1);
      by_name[name.substr(0, end)].total.Add(cost);
    }
  }
  std::vector<PhaseCost> costs;
  if (by_name.empty()) return costs;
  for (const auto& [name, cost] : by_name) costs.push_back({name, cost.self, cost.total});
  std::stable_sort(costs.begin(), costs.end(),
                   [](const PhaseCost& a, const PhaseCost& b) { return a.total.weight > b.total.weight; });
  costs.push_back({"", self[0], self[0]});
  return costs;
}

}  // namespace ompprof::analyze

#include "profiler/analyze/account/phases.h"

#include <algorithm>

namespace ompprof::analyze {

std::vector<PhaseCost> PhaseCosts(const View& view) {
  std::vector<Cost> self(view.phases.size());
  for (const ViewSample& sample : view.samples) self[sample.phase].Add(sample.cost);

  std::vector<Cost> total = self;
  for (size_t phase = total.size(); phase-- > 1;) {
    if (view.phases_around[phase] != 0) total[view.phases_around[phase]].Add(total[phase]);
  }
  std::vector<PhaseCost> costs;
  for (uint32_t phase = 1; phase < self.size(); ++phase) {
    const Cost& cost = total[phase];
    if (cost.samples == 0 && cost.weight == 0 && cost.wait == 0 && cost.all_blame() == 0) continue;
    costs.push_back({view.phases[phase], self[phase], cost});
  }
  if (costs.empty()) return costs;
  std::stable_sort(costs.begin(), costs.end(),
                   [](const PhaseCost& a, const PhaseCost& b) { return a.total.weight > b.total.weight; });
  costs.push_back({"", self[0], self[0]});
  return costs;
}

}  // namespace ompprof::analyze

#include "profiler/model/module_map.h"

#include <algorithm>

#include "profiler/model/process_profile.h"

namespace ompprof::model {

ModuleMap::ModuleMap(const ProcessProfile& process) {
  for (const auto& [id, module] : process.modules) {
    for (const Segment& segment : module.segments()) {
      const uint64_t low = module.load_bias() + segment.vaddr();
      if (segment.memsz() > 0) ranges_.push_back({low, low + segment.memsz(), 0, &module});
    }
  }
  std::stable_sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.low < b.low; });
  uint64_t max_high = 0;
  for (Range& range : ranges_) range.max_high = max_high = std::max(max_high, range.high);
}

const Module* ModuleMap::Find(uint64_t address, uint32_t epoch) const {
  auto at = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                             [](uint64_t a, const Range& range) { return a < range.low; });
  while (at != ranges_.begin()) {
    --at;
    if (at->max_high <= address) break;
    if (address >= at->high) continue;
    const Module& module = *at->module;
    if (epoch < module.loaded_epoch()) continue;
    if (module.unloaded_epoch() != 0 && epoch >= module.unloaded_epoch()) continue;
    return &module;
  }
  return nullptr;
}

}  // namespace ompprof::model

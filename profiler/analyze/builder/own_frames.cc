#include "profiler/analyze/builder/own_frames.h"

#include <set>
#include <string>

#include "profiler/analyze/view/system_objects.h"
#include "profiler/model/own_modules.h"

namespace ompprof::analyze {

OwnFrames::OwnFrames(const model::ProcessProfile* process, uint32_t number, model::Symbolizer* symbolizer)
    : process_(*process), number_(number), symbolizer_(*symbolizer) {
  const std::set<uint32_t> own = model::OwnModules(process_);
  any_ = !own.empty();
  // The collector and the shim call no other modules.
  for (const auto& [id, module] : process_.modules) {
    const bool is_own = own.count(id) != 0;
    if (!is_own && !IsSystemObject(module.path())) continue;
    const Owner owner = !is_own ? Owner::kSystem : module.openmp_runtime() ? Owner::kShim : Owner::kCollector;
    for (const Segment& segment : module.segments()) {
      const uint64_t low = module.load_bias() + segment.vaddr();
      const uint32_t unloaded = module.unloaded_epoch() == 0 ? UINT32_MAX : module.unloaded_epoch();
      ranges_.push_back({low, low + segment.memsz(), module.loaded_epoch(), unloaded, owner});
    }
  }
}

OwnFrames::Owner OwnFrames::OwnerOf(const model::Node& node, uint32_t epoch) const {
  const uint64_t address = node.value - (node.return_address && node.value > 0 ? 1 : 0);
  for (const Range& range : ranges_) {
    if (address - range.low < range.high - range.low && epoch >= range.loaded && epoch < range.unloaded)
      return range.owner;
  }
  return Owner::kOther;
}

// Whether a frame of the collector is a function that stands in for a C library function of that name. Then the program
// has called the C library. Such functions are the collector's only functions outside its namespace.
bool OwnFrames::StandsIn(const model::Node& node, uint32_t epoch) {
  if (OwnerOf(node, epoch) != Owner::kCollector) return false;
  const model::CodeAddress place = symbolizer_.Locate(number_, node.value, node.return_address, epoch);
  const std::string& name = symbolizer_.Frames(place).front().function->system_name;
  return !name.empty() && name.find("7ompprof") == std::string::npos;
}

std::vector<bool> OwnFrames::Look(const model::Tree& tree) {
  const size_t size = tree.nodes.size();
  std::vector<bool> own(size, false);
  std::vector<uint32_t> epochs(size, 0);
  for (size_t i = 0; i < size; ++i) {
    const model::Node& node = tree.nodes[i];
    if (node.parent != 0) epochs[i] = epochs[node.parent - 1];
    if (node.kind == NODE_ROOT) epochs[i] = static_cast<uint32_t>(node.value);
    if (node.kind != NODE_FRAME) continue;
    const Owner owner = OwnerOf(node, epochs[i]);
    if (owner == Owner::kCollector || owner == Owner::kShim) {
      own[i] = true;
    } else if (owner == Owner::kSystem && node.parent != 0 && own[node.parent - 1]) {
      own[i] = !StandsIn(tree.nodes[node.parent - 1], epochs[i]);
    }
  }
  return own;
}

bool OwnFrames::Has(uint32_t tree, uint32_t node) {
  if (!any_ || node == 0) return false;
  const auto [entry, added] = own_.try_emplace(tree);
  if (added) {
    const auto found = process_.trees.find(tree);
    if (found != process_.trees.end()) entry->second = Look(found->second);
  }
  return node <= entry->second.size() && entry->second[node - 1];
}

}  // namespace ompprof::analyze

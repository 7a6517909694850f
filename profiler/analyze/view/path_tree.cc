#include "profiler/analyze/view/path_tree.h"

#include <algorithm>

namespace ompprof::analyze {

PathTree::PathTree() : nodes_{{0, 0}}, slots_(1024, 0) {}

size_t PathTree::Slot(PathId parent, LocationId location) const {
  uint64_t hash = (uint64_t{parent} << 32 | location) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 29;
  size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot] != 0) {
    const Node& node = nodes_[slots_[slot]];
    if (node.parent == parent && node.location == location) break;
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

void PathTree::Grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (PathId id = 1; id < nodes_.size(); ++id) slots_[Slot(nodes_[id].parent, nodes_[id].location)] = id;
}

PathId PathTree::Child(PathId path, LocationId location) {
  size_t slot = Slot(path, location);
  if (slots_[slot] != 0) return slots_[slot];
  nodes_.push_back({path, location});
  const auto id = static_cast<PathId>(nodes_.size() - 1);
  slots_[slot] = id;
  if (nodes_.size() * 2 > slots_.size()) Grow();
  return id;
}

std::vector<LocationId> PathTree::Locations(PathId path) const {
  std::vector<LocationId> locations;
  for (; path != kEmptyPath; path = nodes_[path].parent) locations.push_back(nodes_[path].location);
  std::reverse(locations.begin(), locations.end());
  return locations;
}

}  // namespace ompprof::analyze

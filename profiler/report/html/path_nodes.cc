#include "profiler/report/html/path_nodes.h"

#include <utility>

namespace ompprof::report {

uint32_t PathNodes::Side::Of(analyze::PathId path) const {
  if (kept.empty() || node_of_path[path] == StackTree::kNoNode) return 0;
  return kept[node_of_path[path]];
}

void PathNodes::AddWhole(const StackTree& tree, std::vector<uint32_t> kept) {
  whole_ = {tree.node_of_path(), std::move(kept)};
}

void PathNodes::AddFolded(const StackTree& tree, std::vector<uint32_t> kept) {
  folded_ = {tree.node_of_path(), std::move(kept)};
}

uint32_t PathNodes::Of(analyze::PathId path) {
  const Nodes nodes = {whole_.Of(path), folded_.Of(path)};
  const auto [entry, added] = numbers_.emplace(nodes, static_cast<uint32_t>(nodes_.size()));
  if (added) nodes_.push_back(nodes);
  return entry->second;
}

}  // namespace ompprof::report

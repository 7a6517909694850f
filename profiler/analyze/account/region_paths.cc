#include "profiler/analyze/account/region_paths.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace ompprof::analyze {
namespace {

// The call tree's node at the end of `path`. 0: no sample's path contains `path`.
uint32_t NodeOf(const View& view, const CallTree& tree, PathId path) {
  uint32_t at = 0;
  for (const LocationId id : view.paths.Locations(path)) {
    const Location& location = view.frames.location(id);
    for (uint32_t i = location.line_count; i-- > 0;) {
      const FunctionId function = view.frames.line(location.first_line + i).function;
      const auto begin = tree.children.begin() + tree.first_child[at];
      const auto end = tree.children.begin() + tree.first_child[at + 1];
      const auto child = std::find_if(begin, end, [&](uint32_t node) { return tree.nodes[node].function == function; });
      if (child == end) return 0;
      at = *child;
    }
  }
  return at;
}

constexpr uint32_t kNoEntry = UINT32_MAX;

// The node at which a path from the root first meets a construct. The path that reaches the region ends there.
struct Entry {
  uint32_t node;
  RegionPath path;
};

// The entries of a call tree.
struct Entries {
  std::vector<Entry> all;
  std::vector<uint32_t> innermost;  // by node: index into all; kNoEntry: in no region
  std::vector<uint32_t> around;     // by entry: the entry around it
};

using RegionIndex = std::unordered_map<FunctionId, size_t>;  // by construct

Entries FindEntries(const CallTree& tree, const RegionIndex& region_of) {
  Entries entries;
  entries.innermost.assign(tree.nodes.size(), kNoEntry);
  for (uint32_t i = 1; i < tree.nodes.size(); ++i) {
    const CallNode& node = tree.nodes[i];
    entries.innermost[i] = entries.innermost[node.parent];
    if (region_of.count(node.function) == 0) continue;
    bool again = false;
    for (uint32_t at = entries.innermost[i]; at != kNoEntry && !again; at = entries.around[at])
      again = tree.nodes[entries.all[at].node].function == node.function;
    if (again) continue;
    entries.around.push_back(entries.innermost[i]);
    entries.innermost[i] = static_cast<uint32_t>(entries.all.size());
    entries.all.push_back({i, {}});
  }
  return entries;
}

void AddCosts(const View& view, const CallTree& tree, Entries* entries) {
  for (const ViewSample& sample : view.samples) {
    const int activity = static_cast<int>(ActivityOf(sample.state));
    for (uint32_t at = entries->innermost[tree.node_of_path[sample.path]]; at != kNoEntry; at = entries->around[at]) {
      entries->all[at].path.cost.Add(sample.cost);
      entries->all[at].path.by_activity[activity].Add(sample.cost);
    }
  }
}

// Adds the runs whose paths end at an entry of the tree that is not folded. `node_of`: its nodes in the tree of
// `entries`. Runs within a run of the same region are in that run.
void AddRuns(const View& view, const CallTree& unfolded, const RegionIndex& region_of,
             const std::vector<uint32_t>& node_of, Entries* entries) {
  const Entries outermost = FindEntries(unfolded, region_of);
  for (const RegionRun& run : view.region_runs) {
    const uint32_t node = NodeOf(view, unfolded, run.path);
    const uint32_t entry = outermost.innermost[node];
    if (entry == kNoEntry || outermost.all[entry].node != node) continue;
    const uint32_t folded = entries->innermost[node_of[node]];
    if (folded != kNoEntry) entries->all[folded].path.runs.Add(run.totals);
  }
}

// Moves the entries' paths to their regions, each with its callers.
void MovePaths(const CallTree& tree, const RegionIndex& region_of, Entries* entries, std::vector<RegionPaths>* all) {
  for (Entry& entry : entries->all) {
    const Cost& cost = entry.path.cost;
    if (cost.samples == 0 && cost.weight == 0 && cost.wait == 0 && cost.all_blame() == 0) continue;
    for (uint32_t at = tree.nodes[entry.node].parent; at != 0; at = tree.nodes[at].parent) {
      entry.path.callers.push_back(tree.nodes[at].function);
      entry.path.calls.push_back(tree.nodes[at].recursion);
    }
    std::reverse(entry.path.callers.begin(), entry.path.callers.end());
    std::reverse(entry.path.calls.begin(), entry.path.calls.end());
    (*all)[region_of.at(tree.nodes[entry.node].function)].paths.push_back(std::move(entry.path));
  }
}

void CountOtherRuns(const View& view, const RegionIndex& region_of, std::vector<RegionPaths>* all) {
  for (size_t i = 0; i < all->size(); ++i) {
    (*all)[i].other_runs = view.regions[i].ended;
    (*all)[i].other_elapsed_ns = view.regions[i].elapsed_ns;
  }
  for (const RegionRun& run : view.region_runs) {
    const auto region = region_of.find(run.construct);
    if (region == region_of.end()) continue;
    RegionPaths& paths = (*all)[region->second];
    paths.other_runs -= std::min(run.totals.ended, paths.other_runs);
    paths.other_elapsed_ns -= std::min(run.totals.elapsed_ns, paths.other_elapsed_ns);
  }
}

}  // namespace

std::vector<RegionPaths> PathsOfRegions(const View& view, bool fold) {
  if (view.kind != ViewKind::kUser) return {};
  std::vector<RegionPaths> all;
  RegionIndex region_of;
  for (const Region& region : view.regions) {
    region_of.emplace(region.construct, all.size());
    all.push_back({region.construct, {}});
  }
  const CallTree unfolded = BuildCallTree(view, false);
  std::vector<uint32_t> node_of(unfolded.nodes.size());
  std::iota(node_of.begin(), node_of.end(), 0);
  const CallTree tree = fold ? FoldCallTree(view, unfolded, Metric::kWeight, &node_of) : unfolded;
  Entries entries = FindEntries(tree, region_of);
  AddCosts(view, tree, &entries);
  AddRuns(view, unfolded, region_of, node_of, &entries);
  MovePaths(tree, region_of, &entries, &all);
  CountOtherRuns(view, region_of, &all);
  for (size_t at = 0; at < all.size(); ++at) {
    RegionPaths& region = all[at];
    // Waits for locks have their own estimates, and are no useful time.
    for (RegionPath& path : region.paths)
      path.estimated = path.runs.estimated > 0 || (path.runs.ended > 0 && view.regions[at].lock_wait_estimate.any());
    std::stable_sort(region.paths.begin(), region.paths.end(),
                     [](const RegionPath& a, const RegionPath& b) { return a.cost.weight > b.cost.weight; });
  }
  return all;
}

}  // namespace ompprof::analyze

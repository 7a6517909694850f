#include "profiler/analyze/view/call_tree.h"

#include <algorithm>
#include <unordered_map>

#include "profiler/analyze/view/path_filter.h"

namespace ompprof::analyze {
namespace {

// A function, with a line if lines are nodes of their own.
uint64_t PlaceKey(FunctionId function, uint32_t line) { return uint64_t{function} << 32 | line; }

// Makes totals of own costs.
void AddUp(CallTree* tree) {
  for (size_t i = tree->nodes.size(); i-- > 0;) {
    CallNode& node = tree->nodes[i];
    node.total.Add(node.self);
    if (i != 0) tree->nodes[node.parent].total.Add(node.total);
  }
}

void SortChildren(Metric metric, CallTree* tree) {
  const size_t count = tree->nodes.size();
  tree->first_child.assign(count + 1, 0);
  for (size_t i = 1; i < count; ++i) ++tree->first_child[tree->nodes[i].parent + 1];
  for (size_t i = 0; i < count; ++i) tree->first_child[i + 1] += tree->first_child[i];
  tree->children.resize(count - 1);
  std::vector<uint32_t> next(tree->first_child.begin(), tree->first_child.end() - 1);
  for (size_t i = 1; i < count; ++i) tree->children[next[tree->nodes[i].parent]++] = static_cast<uint32_t>(i);
  for (size_t i = 0; i < count; ++i) {
    std::stable_sort(tree->children.begin() + tree->first_child[i], tree->children.begin() + tree->first_child[i + 1],
                     [tree, metric](uint32_t a, uint32_t b) {
                       const Cost& left = tree->nodes[a].total;
                       const Cost& right = tree->nodes[b].total;
                       if (CostIn(left, metric) != CostIn(right, metric))
                         return CostIn(left, metric) > CostIn(right, metric);
                       return left.weight != right.weight ? left.weight > right.weight : left.samples > right.samples;
                     });
  }
}

// By location: whether one of its functions matches.
std::vector<bool> MatchingLocations(const View& view, const NamePattern& pattern) {
  const std::vector<bool> function_matches = MatchingFunctions(view, pattern);
  std::vector<bool> matches(view.frames.location_count());
  for (LocationId id = 1; id < matches.size(); ++id) {
    const Location& location = view.frames.location(id);
    for (uint32_t i = 0; i < location.line_count; ++i) {
      if (function_matches[view.frames.line(location.first_line + i).function]) matches[id] = true;
    }
  }
  return matches;
}

// By path: whether one of its locations matches.
std::vector<bool> MatchingPaths(const View& view, const NamePattern& pattern) {
  const std::vector<bool> locations = MatchingLocations(view, pattern);
  std::vector<bool> matches(view.paths.size());
  for (PathId path = 1; path < matches.size(); ++path) {
    const PathTree::Node& node = view.paths.node(path);
    matches[path] = matches[node.parent] || locations[node.location];
  }
  return matches;
}

}  // namespace

CallTree BuildCallTree(const View& view, bool lines, Metric metric) {
  CallTree tree;
  tree.nodes.push_back({0, kNoFunction, 0, {}, {}});

  // A PathTree of functions: a function with its line takes the place of a location.
  PathTree calls;
  std::unordered_map<uint64_t, LocationId> place_ids;
  const auto child = [&](PathId at, FunctionId function, uint32_t line) {
    const auto place = place_ids.emplace(PlaceKey(function, line), static_cast<LocationId>(place_ids.size() + 1));
    const PathId next = calls.Child(at, place.first->second);
    if (next == tree.nodes.size()) tree.nodes.push_back({at, function, line, {}, {}});
    return next;
  };

  // Only paths with samples: filters leave paths without samples behind.
  std::vector<bool> wanted(view.paths.size());
  for (const ViewSample& sample : view.samples) {
    if (!sample.interval) wanted[sample.path] = true;
  }
  for (PathId path = static_cast<PathId>(wanted.size()) - 1; path > 0; --path) {
    if (wanted[path]) wanted[view.paths.node(path).parent] = true;
  }
  std::vector<uint32_t>& node_of = tree.node_of_path;
  node_of.assign(view.paths.size(), 0);
  for (PathId path = 1; path < node_of.size(); ++path) {
    if (!wanted[path]) continue;
    const PathTree::Node& node = view.paths.node(path);
    const Location& location = view.frames.location(node.location);
    PathId at = node_of[node.parent];
    for (uint32_t i = location.line_count; i-- > 0;) {
      const Line& line = view.frames.line(location.first_line + i);
      at = child(at, line.function, lines ? line.line : 0);
    }
    node_of[path] = at;
  }
  for (const ViewSample& sample : view.samples) {
    if (!sample.interval) tree.nodes[node_of[sample.path]].self.Add(sample.cost);
  }
  AddUp(&tree);
  SortChildren(metric, &tree);
  return tree;
}

CallTree FoldCallTree(const View& view, const CallTree& tree, Metric metric, std::vector<uint32_t>* node_of) {
  std::vector<FoldFrame> frames;
  frames.reserve(tree.nodes.size());
  for (const CallNode& node : tree.nodes)
    frames.push_back({node.parent, node.function, node.line, view.frames.function(node.function).name == kFramesCut});
  const Folding folding = FoldRecursion(frames, FoldPlace::kLast);
  if (node_of != nullptr) {
    *node_of = folding.node_of;
    for (uint32_t i = 0; i < node_of->size() && !folding.any; ++i) (*node_of)[i] = i;
  }
  if (!folding.any) return tree;

  CallTree folded;
  for (const FoldedNode& node : folding.nodes) {
    const CallNode& shown = tree.nodes[node.frame];
    folded.nodes.push_back({node.parent, shown.function, shown.line, {}, {}, node.recursion});
  }
  for (size_t i = 0; i < tree.nodes.size(); ++i) folded.nodes[folding.node_of[i]].self.Add(tree.nodes[i].self);
  for (const uint32_t node : tree.node_of_path) folded.node_of_path.push_back(folding.node_of[node]);
  AddUp(&folded);
  SortChildren(metric, &folded);
  return folded;
}

std::vector<FunctionCost> FunctionCosts(const CallTree& tree) {
  std::vector<FunctionCost> costs;
  std::unordered_map<uint64_t, size_t> index;
  std::vector<uint32_t> cost_of(tree.nodes.size(), 0);
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    const CallNode& node = tree.nodes[i];
    const auto [entry, added] = index.emplace(PlaceKey(node.function, node.line), costs.size());
    if (added) costs.push_back({node.function, node.line, {}, {}});
    cost_of[i] = static_cast<uint32_t>(entry->second);
    costs[entry->second].self.Add(node.self);
  }

  // Depth first, counting how often each function is on the way. A function's total counts only at its outermost node.
  struct Visit {
    uint32_t node;
    uint32_t next;  // index into children
  };
  std::vector<uint32_t> active(costs.size(), 0);
  std::vector<Visit> visits = {{0, tree.first_child[0]}};
  while (!visits.empty()) {
    Visit& visit = visits.back();
    if (visit.next == tree.first_child[visit.node + 1]) {
      if (visit.node != 0) --active[cost_of[visit.node]];
      visits.pop_back();
      continue;
    }
    const uint32_t child = tree.children[visit.next++];
    FunctionCost& cost = costs[cost_of[child]];
    if (active[cost_of[child]]++ == 0) cost.total.Add(tree.nodes[child].total);
    visits.push_back({child, tree.first_child[child]});
  }
  SortCosts(Metric::kWeight, &costs);
  return costs;
}

void SortCosts(Metric metric, std::vector<FunctionCost>* costs) {
  std::stable_sort(costs->begin(), costs->end(), [metric](const FunctionCost& a, const FunctionCost& b) {
    const uint64_t left = CostIn(a.self, metric);
    const uint64_t right = CostIn(b.self, metric);
    return left != right ? left > right : CostIn(a.total, metric) > CostIn(b.total, metric);
  });
}

void FilterSamples(const NamePattern* focus, const NamePattern* ignore, View* view) {
  std::vector<bool> focused;
  std::vector<bool> ignored;
  if (focus != nullptr) focused = MatchingPaths(*view, *focus);
  if (ignore != nullptr) ignored = MatchingPaths(*view, *ignore);
  const auto drop = [&](const ViewSample& sample) {
    return (focus != nullptr && !focused[sample.path]) || (ignore != nullptr && ignored[sample.path]);
  };
  DropSamples(drop, view);
}

}  // namespace ompprof::analyze

#include "profiler/analyze/account/peek.h"

#include <algorithm>
#include <unordered_map>

namespace ompprof::analyze {
namespace {

constexpr size_t kNoCall = SIZE_MAX;

// Calls of one function by another, in all stacks.
struct Edge {
  size_t caller;  // index into the costs
  size_t callee;
  Cost cost;
  uint32_t active = 0;  // how often the walk's current stack has this call
};

struct Edges {
  std::vector<Edge> all;
  std::vector<size_t> by_node;  // the call that leads to a node; kNoCall: none, or a call that is not wanted
};

// The calls with a wanted function at one end, without their costs.
Edges EdgesOf(const CallTree& tree, const std::vector<FunctionCost>& costs, const std::vector<bool>& wanted) {
  const auto key = [](FunctionId function, uint32_t line) { return uint64_t{function} << 32 | line; };
  std::unordered_map<uint64_t, size_t> index;
  for (size_t i = 0; i < costs.size(); ++i) index.emplace(key(costs[i].function, costs[i].line), i);

  Edges edges;
  edges.by_node.assign(tree.nodes.size(), kNoCall);
  std::unordered_map<uint64_t, size_t> edge_index;
  std::vector<size_t> cost_of(tree.nodes.size(), kNoCall);
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    const CallNode& node = tree.nodes[i];
    cost_of[i] = index.at(key(node.function, node.line));
    const size_t caller = cost_of[node.parent];
    if (node.parent == 0 || caller == cost_of[i]) continue;
    if (!wanted[node.function] && !wanted[tree.nodes[node.parent].function]) continue;
    const auto [entry, added] = edge_index.emplace(uint64_t{caller} << 32 | cost_of[i], edges.all.size());
    if (added) edges.all.push_back({caller, cost_of[i], {}, 0});
    edges.by_node[i] = entry->second;
  }
  return edges;
}

// Walks all stacks. A stack counts once for a call, although the call may recur in it.
void AddUpCosts(const CallTree& tree, Edges* edges) {
  struct Visit {
    uint32_t node;
    uint32_t next;  // index into children
  };
  std::vector<Visit> visits = {{0, tree.first_child[0]}};
  while (!visits.empty()) {
    Visit& visit = visits.back();
    if (visit.next == tree.first_child[visit.node + 1]) {
      if (edges->by_node[visit.node] != kNoCall) --edges->all[edges->by_node[visit.node]].active;
      visits.pop_back();
      continue;
    }
    const uint32_t child = tree.children[visit.next++];
    if (edges->by_node[child] != kNoCall) {
      Edge& edge = edges->all[edges->by_node[child]];
      if (edge.active++ == 0) edge.cost.Add(tree.nodes[child].total);
    }
    visits.push_back({child, tree.first_child[child]});
  }
}

void Sort(std::vector<CallEdge>* edges, Metric metric) {
  std::stable_sort(edges->begin(), edges->end(), [metric](const CallEdge& a, const CallEdge& b) {
    return CostIn(a.cost, metric) > CostIn(b.cost, metric);
  });
}

}  // namespace

std::vector<Peek> PeekAt(const CallTree& tree, const std::vector<FunctionCost>& costs, const std::vector<bool>& wanted,
                         Metric metric) {
  Edges edges = EdgesOf(tree, costs, wanted);
  AddUpCosts(tree, &edges);

  std::vector<Peek> peeks;
  std::vector<size_t> peek_of(costs.size(), kNoCall);
  for (size_t i = 0; i < costs.size(); ++i) {
    if (!wanted[costs[i].function]) continue;
    peek_of[i] = peeks.size();
    peeks.push_back({costs[i], {}, {}});
  }
  for (const Edge& edge : edges.all) {
    const FunctionCost& caller = costs[edge.caller];
    const FunctionCost& callee = costs[edge.callee];
    if (peek_of[edge.callee] != kNoCall)
      peeks[peek_of[edge.callee]].callers.push_back({caller.function, caller.line, edge.cost});
    if (peek_of[edge.caller] != kNoCall)
      peeks[peek_of[edge.caller]].callees.push_back({callee.function, callee.line, edge.cost});
  }
  for (Peek& peek : peeks) {
    Sort(&peek.callers, metric);
    Sort(&peek.callees, metric);
  }
  return peeks;
}

}  // namespace ompprof::analyze

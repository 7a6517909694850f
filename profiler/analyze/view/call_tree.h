// The view's paths as a tree of functions, inlined functions included, with the cost of each. The text and JSON reports
// read it.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_CALL_TREE_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_CALL_TREE_H_

#include <cstdint>
#include <vector>

#include "profiler/analyze/view/cost.h"
#include "profiler/analyze/view/fold.h"
#include "profiler/analyze/view/name_pattern.h"
#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

struct CallNode {
  uint32_t parent;  // has a smaller number; node 0 is the root, no function
  FunctionId function;
  uint32_t line;  // 0 unless lines were asked for
  Cost self;
  Cost total;
  Recursion recursion = {};  // in a folded tree
};

struct CallTree {
  std::vector<CallNode> nodes;

  // By PathId: the node at which the path ends; 0 for a path without samples.
  std::vector<uint32_t> node_of_path;

  // Each node's children by the metric, descending. The children of node n are children[first_child[n]] to
  // children[first_child[n + 1] - 1].
  std::vector<uint32_t> children;
  std::vector<uint32_t> first_child;
};

// With `lines`, a function's lines are nodes of their own. Children are sorted by `metric`.
CallTree BuildCallTree(const View& view, bool lines, Metric metric = Metric::kWeight);

// The tree with recursion folded (fold.h). A path's cost goes to the function in which the path ends, so own costs and
// sums stay. A function's total in a folded recursion leaves out calls that come back to a function above it.
// `node_of`, if not null, receives the folded node of each node.
CallTree FoldCallTree(const View& view, const CallTree& tree, Metric metric = Metric::kWeight,
                      std::vector<uint32_t>* node_of = nullptr);

struct FunctionCost {
  FunctionId function;
  uint32_t line;  // as in CallNode
  Cost self;
  Cost total;  // counted once where the function calls itself
};

// Every function in a sample's path, from a tree that is not folded, by self cost, then by total cost, descending.
std::vector<FunctionCost> FunctionCosts(const CallTree& tree);

// Sorts by self cost, then by total cost, descending.
void SortCosts(Metric metric, std::vector<FunctionCost>* costs);

// Keeps the samples with a function that matches `focus` and no function that matches `ignore`. A null pattern drops no
// samples. The view's totals stay the totals of the whole profile.
void FilterSamples(const NamePattern* focus, const NamePattern* ignore, View* view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_CALL_TREE_H_

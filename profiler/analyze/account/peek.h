// The callers and callees of functions, with the cost of each call (pprof's -peek). The text report's `--peek` shows
// them.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_PEEK_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_PEEK_H_

#include <vector>

#include "profiler/analyze/view/call_tree.h"

namespace ompprof::analyze {

struct CallEdge {
  FunctionId function;  // at the other end of the call
  uint32_t line;        // as in CallNode
  Cost cost;            // of the stacks with this call, each stack counted once
};

struct Peek {
  FunctionCost function;
  std::vector<CallEdge> callers;  // by `metric`, descending; without recursive calls
  std::vector<CallEdge> callees;
};

// A Peek for each of `costs` (see FunctionCosts) whose function is `wanted`, in their order.
std::vector<Peek> PeekAt(const CallTree& tree, const std::vector<FunctionCost>& costs, const std::vector<bool>& wanted,
                         Metric metric);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_PEEK_H_

// Who calls a function and whom it calls, with what each call costs: pprof's -peek.
#ifndef OMPPROF_PROFILER_ANALYZE_PEEK_H_
#define OMPPROF_PROFILER_ANALYZE_PEEK_H_

#include <vector>

#include "profiler/analyze/call_tree.h"

namespace ompprof::analyze {

struct CallEdge {
  FunctionId function;  // at the other end
  uint32_t line;        // as in CallNode
  Cost cost;            // of stacks with this call, counted once each however often it recurs
};

struct Peek {
  FunctionCost function;
  std::vector<CallEdge> callers;  // by `metric`, descending; calls of itself are left out
  std::vector<CallEdge> callees;
};

// A Peek for each of `costs` (see FunctionCosts) whose function is `wanted`, in their order.
std::vector<Peek> PeekAt(const CallTree& tree, const std::vector<FunctionCost>& costs, const std::vector<bool>& wanted,
                         Metric metric);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_PEEK_H_

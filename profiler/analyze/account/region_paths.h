// Parallel regions by the call path that reaches them: costs from samples and long waits, and counts and times of the
// region's instances on that path. The text and JSON reports show them. Only instances with a sample or a long wait
// have a known path.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_REGION_PATHS_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_REGION_PATHS_H_

#include <vector>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/view/call_tree.h"

namespace ompprof::analyze {

struct RegionPath {
  std::vector<FunctionId> callers;  // outermost first; empty: the callers are not known
  std::vector<Recursion> calls;     // by caller: the recursion that is folded there
  Cost cost;                        // in the region on that path, nested regions included
  Cost by_activity[kActivities];
  RunTotals runs;          // of ended instances with a sample or a wait of a sampling period
  bool estimated = false;  // their waits and useful time are estimated in part, with an unknown error
};

struct RegionPaths {
  FunctionId construct;
  std::vector<RegionPath> paths;  // by weight, descending
  // The construct's other instances, too short for a call path.
  uint64_t other_runs = 0;
  uint64_t other_elapsed_ns = 0;
};

// An entry for each of the view's regions, in their order. Empty in the machine view, which has no constructs. `fold`:
// paths that differ only in the way through a recursion are one path (fold.h).
std::vector<RegionPaths> PathsOfRegions(const View& view, bool fold = false);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_REGION_PATHS_H_

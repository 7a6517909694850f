// Parallel regions by the call path that reaches them. What the samples and long waits say; runs and elapsed time are
// counted for a construct, whatever called it, and are not known by path.
#ifndef OMPPROF_PROFILER_ANALYZE_REGION_PATHS_H_
#define OMPPROF_PROFILER_ANALYZE_REGION_PATHS_H_

#include <vector>

#include "profiler/analyze/call_tree.h"
#include "profiler/analyze/summary.h"

namespace ompprof::analyze {

struct RegionPath {
  std::vector<FunctionId> callers;  // outermost first; empty: reached from nowhere that is known
  Cost cost;                        // in the region on that path, nested regions included
  Cost by_activity[kActivities];
};

struct RegionPaths {
  FunctionId construct;
  std::vector<RegionPath> paths;  // by weight, descending
};

// One for each of the view's regions, in their order. Empty in the machine view, which has no constructs.
std::vector<RegionPaths> PathsOfRegions(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_REGION_PATHS_H_

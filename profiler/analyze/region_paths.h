// Parallel regions by the call path that reaches them: what the samples and long waits say, and how often and how long
// the region ran from there. Its runs are counted for a construct, whatever called it; a path is known of those that a
// sample or a long wait fell into.
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
  RunTotals runs;          // of those that have ended, and were met by a sample or a wait of a sampling period
  bool estimated = false;  // their waits and useful time are, in part; how far these may be off is not known
};

struct RegionPaths {
  FunctionId construct;
  std::vector<RegionPath> paths;  // by weight, descending
  // The construct's other runs, so short that no path was taken.
  uint64_t other_runs = 0;
  uint64_t other_elapsed_ns = 0;
};

// One for each of the view's regions, in their order. Empty in the machine view, which has no constructs.
std::vector<RegionPaths> PathsOfRegions(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_REGION_PATHS_H_

// The cost of functions broken down: by thread, MPI rank, OpenMP state or parallel region. `--by` shows it.
#ifndef OMPPROF_PROFILER_ANALYZE_BREAKDOWN_H_
#define OMPPROF_PROFILER_ANALYZE_BREAKDOWN_H_

#include <string>
#include <vector>

#include "profiler/analyze/call_tree.h"

namespace ompprof::analyze {

enum class Dimension { kThread, kRank, kState, kRegion, kPhase };

// One value of the dimension: a thread, a region, ...
struct Slice {
  std::string name;  // as recorded: "thread 3" ("PID/3" of several processes, see ProcessLabels), "rank 0", a state's
                     // or a region's name
  Cost cost;
  std::vector<FunctionCost> functions;  // as FunctionCosts sorts them; totals within the slice
};

// False if nothing in the profile has a value of that dimension: ranks without MPI, phases without labels.
bool HasDimension(const View& view, Dimension dimension);

// By `metric`, descending. Slices add up to the view's samples. Empty if the profile does not have the dimension.
std::vector<Slice> BreakDown(const View& view, Dimension dimension, bool lines, Metric metric);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BREAKDOWN_H_

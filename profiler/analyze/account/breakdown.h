// The cost of functions by thread, MPI rank, OpenMP state, parallel region or phase. `report --by` shows it.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_BREAKDOWN_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_BREAKDOWN_H_

#include <string>
#include <vector>

#include "profiler/analyze/view/call_tree.h"

namespace ompprof::analyze {

enum class Dimension { kThread, kRank, kState, kRegion, kPhase };

// One value of the dimension: a thread, a region, ...
struct Slice {
  std::string
      name;  // "thread 3" ("PID/3" with several processes, see ProcessLabels), "rank 0", the name of a state or region
  Cost cost;
  std::vector<FunctionCost> functions;  // as FunctionCosts sorts them; totals within the slice
};

// False if the profile has no value of the dimension: no ranks without MPI, no phases without labels.
bool HasDimension(const View& view, Dimension dimension);

// The slices by `metric`, descending. Together they have all of the view's samples. Empty if the profile does not have
// the dimension.
std::vector<Slice> BreakDown(const View& view, Dimension dimension, bool lines, Metric metric);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_BREAKDOWN_H_

// The cost of each phase of the program. Labels (ompprof_push_label) define the phases. The text and JSON reports show
// the costs.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_PHASES_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_PHASES_H_

#include <string>
#include <vector>

#include "profiler/analyze/view/call_tree.h"
#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

struct PhaseCost {
  std::string name;  // "outer/inner"; "": outside all phases
  Cost self;
  Cost total;  // with the phases inside this phase
};

// The phases by total cost, descending; the samples outside all phases come last. Empty if no sample is in a phase.
std::vector<PhaseCost> PhaseCosts(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_PHASES_H_

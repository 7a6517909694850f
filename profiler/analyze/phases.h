// What each phase of the program cost, as its labels tell them apart (ompprof_push_label). The text and JSON reports
// show it.
#ifndef OMPPROF_PROFILER_ANALYZE_PHASES_H_
#define OMPPROF_PROFILER_ANALYZE_PHASES_H_

#include <string>
#include <vector>

#include "profiler/analyze/call_tree.h"
#include "profiler/analyze/view.h"

namespace ompprof::analyze {

struct PhaseCost {
  std::string name;  // "outer/inner"; "": in no phase
  Cost self;
  Cost total;  // with the phases inside it
};

// By total, descending; what is in no phase comes last. Empty if no sample is in a phase.
std::vector<PhaseCost> PhaseCosts(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_PHASES_H_

// Finds the changes to a program that its profile suggests. Advice with a gain below kWorthwhile of the run's wall time
// is left out, except the kinds whose gain is not known.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVISE_H_
#define OMPPROF_PROFILER_ANALYZE_ADVISE_H_

#include <vector>

#include "profiler/analyze/advice.h"
#include "profiler/analyze/efficiency.h"
#include "profiler/analyze/view.h"

namespace ompprof::analyze {

// By gain, descending.
std::vector<Advice> Advise(const View& view, const Efficiency& efficiency);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVISE_H_

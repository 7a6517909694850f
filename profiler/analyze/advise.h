// Finds the changes to a program that its profile suggests. Each potential gain of a region that is worthwhile is in
// the advice or in the refusals.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVISE_H_
#define OMPPROF_PROFILER_ANALYZE_ADVISE_H_

#include "profiler/analyze/advice.h"
#include "profiler/analyze/efficiency.h"
#include "profiler/analyze/view.h"

namespace ompprof::analyze {

Findings Advise(const View& view, const Efficiency& efficiency);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVISE_H_

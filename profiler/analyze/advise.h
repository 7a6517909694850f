// Finds the changes to a program that its profile suggests. Each potential gain of a region that is worthwhile is in
// the advice or in the refusals.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVISE_H_
#define OMPPROF_PROFILER_ANALYZE_ADVISE_H_

#include "profiler/analyze/advice.h"
#include "profiler/analyze/efficiency.h"
#include "profiler/analyze/view.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

// `symbolizer`: tells the program's functions from those of its libraries; null: all are the program's.
Findings Advise(const View& view, const Efficiency& efficiency, const model::Symbolizer* symbolizer = nullptr);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVISE_H_

// Finds the changes to a program that its profile suggests. Each potential gain of a region that is worthwhile is in
// the advice or in the refusals.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVICE_ADVISE_H_
#define OMPPROF_PROFILER_ANALYZE_ADVICE_ADVISE_H_

#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/advice/advice.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

// `symbolizer`: tells the program's functions from those of its libraries, and atomic instructions from others; null:
// all functions are the program's, and no atomic instruction is known.
Findings Advise(const View& view, const Efficiency& efficiency, model::Symbolizer* symbolizer = nullptr);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVICE_ADVISE_H_

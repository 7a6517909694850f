// Advice on single regions: uneven work, costs of handing out iterations, of tasks, and of the region itself. A cause
// of a worthwhile potential gain that gets no advice is refused with a reason.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVICE_REGION_ADVICE_H_
#define OMPPROF_PROFILER_ANALYZE_ADVICE_REGION_ADVICE_H_

#include <vector>

#include "profiler/analyze/advice/advice.h"
#include "profiler/analyze/advice/advice_run.h"

namespace ompprof::analyze {

// Adds to `findings`, which has the advice on locks already. `small` becomes the outermost regions whose potential
// gains are not worthwhile, neither alone nor together.
void AdviseOnRegions(const AdviceRun& run, Findings* findings, std::vector<const Region*>* small);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVICE_REGION_ADVICE_H_

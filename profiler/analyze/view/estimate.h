// The model's Estimate under the name that analyses and reports use.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_ESTIMATE_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_ESTIMATE_H_

#include "profiler/model/estimate.h"

namespace ompprof::analyze {

using model::Estimate;

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_ESTIMATE_H_

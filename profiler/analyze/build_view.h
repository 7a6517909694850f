// Builds the view of recorded processes: symbolizes their call paths, and adds their figures up.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILD_VIEW_H_
#define OMPPROF_PROFILER_ANALYZE_BUILD_VIEW_H_

#include <vector>

#include "profiler/analyze/view.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

// Builds the view of `processes`. They must outlive `symbolizer`, but not the view. `symbolizer` must be new.
View BuildView(const std::vector<const model::ProcessProfile*>& processes, ViewKind kind,
               model::Symbolizer* symbolizer);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILD_VIEW_H_

// Bounds estimated waits by what is known for sure. The view builder uses it.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_BOUND_ESTIMATES_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_BOUND_ESTIMATES_H_

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

// A thread cannot wait longer than it lives, less its CPU time outside of waits and its exact waits. If the estimates
// of a thread's waits are longer, they are scaled down. Windows that a busy machine makes long make estimates too
// large.
void BoundEstimatedWaits(View* view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_BOUND_ESTIMATES_H_

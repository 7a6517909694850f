// Waits that are shorter than a sampling period have totals but no call path. The view builder gives them a place, so
// that the waiting of all functions adds up to the waiting of all threads.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_SHORT_WAITS_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_SHORT_WAITS_H_

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

// The frame in which they wait.
inline constexpr char kShortWaits[] = "<waits shorter than a sampling period>";

// Adds samples for each thread, state and region: the time in view->waits, less the waits that samples have. Their
// frame is below the region's construct. If samples show the region on several paths, it is below what these have in
// common. Waits in no region, and in regions without samples, are at the root. These samples stand for no time of the
// sampling clock. If estimated waits of samples exceed the time in view->waits, they are reduced to it in proportion.
// Called after the estimates are bounded.
void AddShortWaits(View* view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_SHORT_WAITS_H_

// Divides the useful time of regions: on a processor, ready without a processor, blocked. The view builder uses it.
// Advice uses the comparison of the threads' work.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_ACCOUNT_REGIONS_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_ACCOUNT_REGIONS_H_

#include <cstdint>

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

// Sets ready_ns, blocked_ns and cpu_imbalance of the view's regions, and subtracts the time without a processor from
// their useful time. `view->accounts` is complete.
//
// A region's time off the processor is its useful time less its sampled CPU time. All regions together get no more of
// it than the threads' accounts have. The parts ready and blocked are as in these accounts.
void AccountRegions(View* view);

// The CPU time of the region's busiest thread above the mean of its process's threads, less the difference that chance
// makes between samples of equal threads. 0 if chance explains the whole.
uint64_t UnevenWorkNs(const Region& region);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_ACCOUNT_REGIONS_H_

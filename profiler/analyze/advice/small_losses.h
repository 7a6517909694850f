// Advice for runs in which many regions lose a little each: fewer and larger regions, or fewer threads.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVICE_SMALL_LOSSES_H_
#define OMPPROF_PROFILER_ANALYZE_ADVICE_SMALL_LOSSES_H_

#include <vector>

#include "profiler/analyze/advice/advice.h"
#include "profiler/analyze/advice/advice_run.h"

namespace ompprof::analyze {

// `small`: outermost regions without advice of their own. Adds advice or a refusal.
//
// The gain of fusing R regions into one, with `nowait` between their loops, is the lesser of two:
//  - the barrier waits of the thread that waits least. A thread cannot wait less than not at all.
//  - the barriers' potential gains x (1 - 1 / sqrt(R)). If chance makes threads late, the lateness of R loops together
//  is
//    sqrt(R) times that of a loop, not R times.
// And the share 1 - 1 / R of what creating and ending the regions costs. Not for
// regions with 10 ms of work of a thread or more.
void AdviseOnSmallRegions(const AdviceRun& run, const std::vector<const Region*>& small, Findings* findings);

// Called last. The number of threads for which WhatIf predicts the shortest run, unless other advice gains half of it
// or finds regions, tasks or chunks too small. Nothing where threads lacked processors or other programs used them.
void AdviseFewerThreads(const AdviceRun& run, Findings* findings);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVICE_SMALL_LOSSES_H_

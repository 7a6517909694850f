// Advice on threads that lack processors: too many threads, limits, other programs. Advise uses it.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVICE_PROCESSOR_ADVICE_H_
#define OMPPROF_PROFILER_ANALYZE_ADVICE_PROCESSOR_ADVICE_H_

#include <vector>

#include "profiler/analyze/advice/advice.h"

namespace ompprof::analyze {

struct AdviceRun;

// Whether the run's threads are ready, without a processor, for 10 % of the time in which they do not wait. With more
// threads than processors: for 10 % of the time in which they could run, waits included.
bool LackProcessors(const AdviceRun& run);

// The part of this time in which they are ready, without a processor.
double LackingShare(const AdviceRun& run);

// The share of the threads' time in which they did not lack a processor. A gain that is time on a processor is
// worthwhile as a share of this time.
double ProcessorShare(const View& view);

// Whether threads lacked processors, or other programs used them: then times in the profile are longer than on a
// machine of its own, and not evenly so.
bool IsDisturbed(const AdviceRun& run);

// Adds to `advice`.
void AdviseOnProcessors(const AdviceRun& run, std::vector<Advice>* advice);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVICE_PROCESSOR_ADVICE_H_

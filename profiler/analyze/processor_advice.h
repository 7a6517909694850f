// Advice on threads that lack processors: too many threads, limits, other programs, spinning waits. Advise uses it.
#ifndef OMPPROF_PROFILER_ANALYZE_PROCESSOR_ADVICE_H_
#define OMPPROF_PROFILER_ANALYZE_PROCESSOR_ADVICE_H_

#include <vector>

#include "profiler/analyze/advice.h"

namespace ompprof::analyze {

struct AdviceRun;

// Whether the run's threads are ready, without a processor, for 10 % of the time in which they do not wait.
bool LackProcessors(const AdviceRun& run);

// Adds to `advice`.
void AdviseOnProcessors(const AdviceRun& run, std::vector<Advice>* advice);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_PROCESSOR_ADVICE_H_

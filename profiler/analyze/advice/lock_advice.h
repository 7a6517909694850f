// Advice on locks, criticals and ordered constructs that threads wait for. Advise uses it.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVICE_LOCK_ADVICE_H_
#define OMPPROF_PROFILER_ANALYZE_ADVICE_LOCK_ADVICE_H_

#include <vector>

#include "profiler/analyze/advice/advice.h"

namespace ompprof::analyze {

struct AdviceRun;

// Adds to `advice`.
void AdviseOnLocks(const AdviceRun& run, std::vector<Advice>* advice);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVICE_LOCK_ADVICE_H_

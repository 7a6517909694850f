// Advice on locks outside of OpenMP that the threads of a region wait for: mutexes, and the C library's own locks.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVICE_OUTSIDE_LOCK_ADVICE_H_
#define OMPPROF_PROFILER_ANALYZE_ADVICE_OUTSIDE_LOCK_ADVICE_H_

#include <vector>

#include "profiler/analyze/advice/advice.h"
#include "profiler/analyze/advice/advice_run.h"

namespace ompprof::analyze {

void AdviseOnOutsideLocks(const AdviceRun& run, std::vector<Advice>* advice);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVICE_OUTSIDE_LOCK_ADVICE_H_

// Advice on memory that glibc's allocator gives back to the system, and that the program faults in again. Advise uses
// it.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVICE_MEMORY_ADVICE_H_
#define OMPPROF_PROFILER_ANALYZE_ADVICE_MEMORY_ADVICE_H_

#include <vector>

#include "profiler/analyze/advice/advice.h"

namespace ompprof::analyze {

struct AdviceRun;

// Adds to `advice`.
void AdviseOnMemory(const AdviceRun& run, std::vector<Advice>* advice);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVICE_MEMORY_ADVICE_H_

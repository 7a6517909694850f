// Advice on atomic updates of shared data: `#pragma omp atomic`, std::atomic, builtins. They make no OpenMP events, so
// the machine code at which samples were taken tells them. Advise uses it.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVICE_ATOMIC_ADVICE_H_
#define OMPPROF_PROFILER_ANALYZE_ADVICE_ATOMIC_ADVICE_H_

#include <set>
#include <vector>

#include "profiler/analyze/advice/advice.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::analyze {

struct AdviceRun;

// The locations in regions, outside the system's libraries, at which samples were taken in an atomic instruction.
// Locations with little time are left out, because each costs a look at the machine code.
std::set<LocationId> AtomicLocations(const View& view, model::Symbolizer* symbolizer);

// Adds to `advice`. `atomics`: of AtomicLocations.
void AdviseOnAtomics(const AdviceRun& run, const std::set<LocationId>& atomics, std::vector<Advice>* advice);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVICE_ATOMIC_ADVICE_H_

// Advice on target constructs: data that travels too often, kernels that are too short, and regions on the host.
#ifndef OMPPROF_PROFILER_ANALYZE_DEVICE_ADVICE_H_
#define OMPPROF_PROFILER_ANALYZE_DEVICE_ADVICE_H_

#include <vector>

#include "profiler/analyze/advice_run.h"

namespace ompprof::analyze {

void AdviseOnDevices(const AdviceRun& run, std::vector<Advice>* advice);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_DEVICE_ADVICE_H_

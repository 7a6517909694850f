// Advice on target constructs: data that travels too often or too long, kernels that are too short, hosts and devices
// that wait for each other, and regions on the host.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVICE_DEVICE_ADVICE_H_
#define OMPPROF_PROFILER_ANALYZE_ADVICE_DEVICE_ADVICE_H_

#include <vector>

#include "profiler/analyze/advice/advice_run.h"

namespace ompprof::analyze {

void AdviseOnDevices(const AdviceRun& run, std::vector<Advice>* advice);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVICE_DEVICE_ADVICE_H_

// Kernels and copies of devices by the call path that asked for them.
#ifndef OMPPROF_PROFILER_REPORT_DEVICE_PATHS_TEXT_H_
#define OMPPROF_PROFILER_REPORT_DEVICE_PATHS_TEXT_H_

#include <string>

#include "profiler/analyze/view/view.h"
#include "profiler/report/text_options.h"

namespace ompprof::report {

// The table of `report --devices --paths`; "" if no device executed anything. `usual`: its rows without --limit.
std::string DevicePathsText(const analyze::View& view, const TextOptions& options, size_t usual);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_DEVICE_PATHS_TEXT_H_

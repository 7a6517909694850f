// The section on devices.
#ifndef OMPPROF_PROFILER_REPORT_DEVICES_TEXT_H_
#define OMPPROF_PROFILER_REPORT_DEVICES_TEXT_H_

#include <string>

#include "profiler/analyze/view/view.h"
#include "profiler/report/text_options.h"

namespace ompprof::report {

// What the host asked of its devices, longest first, at most `limit` rows if options.limit does not say otherwise.
// Empty without devices.
std::string DevicesText(const analyze::View& view, const TextOptions& options, size_t limit);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_DEVICES_TEXT_H_

// The text report's sections about waiting: places of waits, waiting without blame.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_WAITS_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_WAITS_H_

#include <cstddef>
#include <string>

#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/text_options.h"

namespace ompprof::report {

// Each text is empty if it has nothing to say.
// Waiting without blame for any code, a line for each reason.
std::string UnblamedText(const analyze::View& view, const Style& style);
// The places of waits, exactly, with the threads that came last to barriers. `usual`: rows, if no limit is set.
std::string WaitsText(const analyze::View& view, const TextOptions& options, size_t usual);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_WAITS_H_

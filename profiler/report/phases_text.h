// The text report's table of phases.
#ifndef OMPPROF_PROFILER_REPORT_PHASES_TEXT_H_
#define OMPPROF_PROFILER_REPORT_PHASES_TEXT_H_

#include <string>

#include "profiler/analyze/view/view.h"
#include "profiler/report/text_options.h"

namespace ompprof::report {

// Empty if the program pushes no labels.
std::string PhasesText(const analyze::View& view, const TextOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_PHASES_TEXT_H_

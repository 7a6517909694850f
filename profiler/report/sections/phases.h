// Phases, which the program names by labels.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_PHASES_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_PHASES_H_

#include <string>

#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/basics/text_options.h"

namespace ompprof::report {

// Empty if the program pushes no labels.
std::string PhasesText(const analyze::View& view, const TextOptions& options);

void JsonPhases(const analyze::View& view, JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_PHASES_H_

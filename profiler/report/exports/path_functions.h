// The functions of a call path, inlined functions included. Exporters that write stacks call it.
#ifndef OMPPROF_PROFILER_REPORT_EXPORTS_PATH_FUNCTIONS_H_
#define OMPPROF_PROFILER_REPORT_EXPORTS_PATH_FUNCTIONS_H_

#include <cstdint>

#include "profiler/analyze/view/view.h"

namespace ompprof::report {

// Gives each analyze::Line of the path to `take`, outermost first.
template <typename Take>
void ForEachLine(const analyze::View& view, analyze::PathId path, Take&& take) {
  for (const analyze::LocationId id : view.paths.Locations(path)) {
    const analyze::Location& location = view.frames.location(id);
    for (uint32_t i = location.line_count; i-- > 0;) take(view.frames.line(location.first_line + i));
  }
}

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_EXPORTS_PATH_FUNCTIONS_H_

// The figures of a unified job with their spread over its processes, and the processes that differ most.
#ifndef OMPPROF_PROFILER_REPORT_SPREAD_TEXT_H_
#define OMPPROF_PROFILER_REPORT_SPREAD_TEXT_H_

#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"
#include "profiler/report/text_options.h"

namespace ompprof::report {

// The figures worth showing, of programs with several processes. The run's come first, then those of regions,
// functions, states, waits and locks, each kind by size. `limit`: of each kind; 0: 5.
std::vector<const analyze::JobFigure*> ChosenFigures(const analyze::View& view, size_t limit);

// Empty if no program has several unified processes.
std::string SpreadText(const analyze::View& view, const TextOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SPREAD_TEXT_H_

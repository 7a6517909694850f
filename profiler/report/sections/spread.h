// The spread of a unified job's figures over its processes.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_SPREAD_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_SPREAD_H_

#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/basics/text_options.h"

namespace ompprof::report {

// The figures worth showing, of programs with several processes. The run's come first, then those of regions,
// functions, states, waits and locks, each kind by size. `limit`: of each kind; 0: 5.
std::vector<const analyze::JobFigure*> ChosenFigures(const analyze::View& view, size_t limit);

// Empty if no program has several unified processes.
std::string SpreadText(const analyze::View& view, const TextOptions& options);

// Writes the member "spread": all figures that have a histogram. Writes nothing if no process is unified.
void SpreadJson(const analyze::View& view, JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_SPREAD_H_

// The figures of a unified job with their spread over its processes, as a member of the JSON report.
#ifndef OMPPROF_PROFILER_REPORT_SPREAD_JSON_H_
#define OMPPROF_PROFILER_REPORT_SPREAD_JSON_H_

#include "profiler/analyze/view/view.h"
#include "profiler/report/json_writer.h"

namespace ompprof::report {

// Writes the member "spread": all figures that have a histogram. Writes nothing if no process is unified.
void SpreadJson(const analyze::View& view, JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SPREAD_JSON_H_

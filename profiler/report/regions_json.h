// The parallel regions of the JSON report.
#ifndef OMPPROF_PROFILER_REPORT_REGIONS_JSON_H_
#define OMPPROF_PROFILER_REPORT_REGIONS_JSON_H_

#include "profiler/analyze/view/view.h"
#include "profiler/report/json_writer.h"

namespace ompprof::report {

// Writes the member "regions".
void JsonRegions(const analyze::View& view, JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_REGIONS_JSON_H_

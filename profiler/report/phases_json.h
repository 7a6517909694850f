// The JSON report's member `phases`.
#ifndef OMPPROF_PROFILER_REPORT_PHASES_JSON_H_
#define OMPPROF_PROFILER_REPORT_PHASES_JSON_H_

#include "profiler/analyze/view/view.h"
#include "profiler/report/json_writer.h"

namespace ompprof::report {

void JsonPhases(const analyze::View& view, JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_PHASES_JSON_H_

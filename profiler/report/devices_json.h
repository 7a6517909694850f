// The member `devices` of the JSON report.
#ifndef OMPPROF_PROFILER_REPORT_DEVICES_JSON_H_
#define OMPPROF_PROFILER_REPORT_DEVICES_JSON_H_

#include "profiler/analyze/view/view.h"
#include "profiler/report/json_writer.h"

namespace ompprof::report {

// Writes the member and its array. Nothing without devices.
void JsonDevices(const analyze::View& view, JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_DEVICES_JSON_H_

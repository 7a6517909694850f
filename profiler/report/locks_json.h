// The `locks` member of the JSON report.
#ifndef OMPPROF_PROFILER_REPORT_LOCKS_JSON_H_
#define OMPPROF_PROFILER_REPORT_LOCKS_JSON_H_

#include "profiler/analyze/account/locks.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/json_writer.h"

namespace ompprof::report {

// Writes the member into the object that is open.
void JsonLocks(const analyze::View& view, const analyze::Locks& locks, JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_LOCKS_JSON_H_

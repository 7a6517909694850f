// The facts and records in a profile's file, as JSON: `ompprof info --format=json`. README.md in this folder has the
// members.
#ifndef OMPPROF_PROFILER_REPORT_INFO_JSON_H_
#define OMPPROF_PROFILER_REPORT_INFO_JSON_H_

#include <string>

#include "profiler/analyze/view/run_facts.h"
#include "profiler/report/json_writer.h"

namespace ompprof::report {

// Writes one object. `file` is the file of the process; `damage` is the same as for InfoText.
void InfoJson(const analyze::ProcessFacts& process, const std::string& file, const std::string& damage,
              JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_INFO_JSON_H_

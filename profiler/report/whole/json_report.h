// The report as JSON, for programs. `ompprof report --format=json` prints it. README.md in this folder documents every
// member.
#ifndef OMPPROF_PROFILER_REPORT_WHOLE_JSON_REPORT_H_
#define OMPPROF_PROFILER_REPORT_WHOLE_JSON_REPORT_H_

#include <optional>
#include <string>

#include "profiler/analyze/account/breakdown.h"
#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/advice/answers.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/basics/json_writer.h"

namespace ompprof::report {

enum class JsonParts {
  kAll,
  kOfPage,  // without waits, modules and threads: the web page has them in another form
};

// Without `answers`, the members efficiency, advice and locks are left out. With `by`, the report also has the
// functions by that dimension.
std::string JsonReport(const analyze::View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
                       const analyze::Answers* answers = nullptr, std::optional<analyze::Dimension> by = std::nullopt);

// Writes the report to `json`.
void WriteJsonReport(const analyze::View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
                     const analyze::Answers* answers, std::optional<analyze::Dimension> by, JsonParts parts,
                     JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_WHOLE_JSON_REPORT_H_

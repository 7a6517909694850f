// The report for programs. README.md in this folder documents every member. `ompprof report --format=json` prints it.
#ifndef OMPPROF_PROFILER_REPORT_JSON_REPORT_H_
#define OMPPROF_PROFILER_REPORT_JSON_REPORT_H_

#include <optional>
#include <string>

#include "profiler/analyze/answers.h"
#include "profiler/analyze/breakdown.h"
#include "profiler/analyze/summary.h"
#include "profiler/analyze/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/json_writer.h"

namespace ompprof::report {

enum class JsonParts {
  kAll,
  kOfPage,  // without waits, modules and threads, which the web page has in another form
};

// Without `answers` the members efficiency, advice and locks are left out; with `by` functions are broken down as well.
std::string JsonReport(const analyze::View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
                       const analyze::Answers* answers = nullptr, std::optional<analyze::Dimension> by = std::nullopt);

// The same, written to `json`.
void WriteJsonReport(const analyze::View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
                     const analyze::Answers* answers, std::optional<analyze::Dimension> by, JsonParts parts,
                     JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_JSON_REPORT_H_

// The functions of the JSON report.
#ifndef OMPPROF_PROFILER_REPORT_FUNCTIONS_JSON_H_
#define OMPPROF_PROFILER_REPORT_FUNCTIONS_JSON_H_

#include <vector>

#include "profiler/analyze/account/breakdown.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/json_writer.h"

namespace ompprof::report {

// Writes the member "functions".
void JsonFunctions(const analyze::View& view, const model::Symbolizer& symbolizer,
                   const std::vector<analyze::FunctionCost>& costs, JsonWriter* json);

// Writes the member "by": the functions of each thread, rank, state, ...
void JsonBreakdown(const analyze::View& view, const model::Symbolizer& symbolizer, analyze::Dimension by,
                   JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_FUNCTIONS_JSON_H_

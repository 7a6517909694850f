// The text report's tables of functions: what they cost, whom others waited for, who calls whom, and each broken down.
#ifndef OMPPROF_PROFILER_REPORT_FUNCTIONS_TEXT_H_
#define OMPPROF_PROFILER_REPORT_FUNCTIONS_TEXT_H_

#include <cstddef>
#include <string>

#include "profiler/analyze/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/text_options.h"

namespace ompprof::report {

// Functions by options.metric; `usual` rows if no limit is given.
std::string FunctionsText(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options,
                          size_t usual);

// Functions that kept other threads waiting, by how long. Empty where nobody waited.
std::string BlameText(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options,
                      size_t usual);

// The functions that match options.peek, each with its callers above and its callees below.
std::string PeekText(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options);

// Functions by options.by: threads and ranks as columns of one table, states and regions as a table each.
std::string BreakdownText(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_FUNCTIONS_TEXT_H_

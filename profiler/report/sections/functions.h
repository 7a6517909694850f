// Functions: their cost, by themselves and with what they call.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_FUNCTIONS_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_FUNCTIONS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "profiler/analyze/account/breakdown.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/basics/text_options.h"

namespace ompprof::report {

// Functions by options.metric. Without a limit in the options, `usual` rows.
std::string FunctionsText(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options,
                          size_t usual);

// Functions by CPU time, without the made-up frames that stand for waiting.
std::string HottestText(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options,
                        size_t usual);

// Functions that kept other threads waiting, by blame. Empty if no thread waited.
std::string BlameText(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options,
                      size_t usual);

// The functions that match options.peek, each with callers above and callees below.
std::string PeekText(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options);

// Functions by options.by. Threads and ranks are columns of one table. States, regions and phases have a table each.
std::string BreakdownText(const analyze::View& view, const model::Symbolizer& symbolizer, const TextOptions& options);

// Writes the member "functions".
void JsonFunctions(const analyze::View& view, const model::Symbolizer& symbolizer,
                   const std::vector<analyze::FunctionCost>& costs, JsonWriter* json);

// Writes the member "by": the functions of each thread, rank, state, ...
void JsonBreakdown(const analyze::View& view, const model::Symbolizer& symbolizer, analyze::Dimension by,
                   JsonWriter* json);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_FUNCTIONS_H_

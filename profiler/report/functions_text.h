// The text report's tables of functions: costs, blame, callers and callees, and costs by thread, rank, state, region or
// phase.
#ifndef OMPPROF_PROFILER_REPORT_FUNCTIONS_TEXT_H_
#define OMPPROF_PROFILER_REPORT_FUNCTIONS_TEXT_H_

#include <cstddef>
#include <string>

#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/text_options.h"

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

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_FUNCTIONS_TEXT_H_

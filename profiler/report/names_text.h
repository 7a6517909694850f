// Functions and amounts as the text report's tables show them.
#ifndef OMPPROF_PROFILER_REPORT_NAMES_TEXT_H_
#define OMPPROF_PROFILER_REPORT_NAMES_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/cost.h"
#include "profiler/analyze/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/text_options.h"
#include "profiler/report/text_table.h"

namespace ompprof::report {

// True if sample weights are nanoseconds. Profiles of one view have one unit.
bool WeighsNanoseconds(const analyze::View& view);

// "CPU" or "wall" for nanoseconds, the event's name for events: what a column of weights is called.
std::string WeightTitle(const analyze::View& view);

// How the samples of a profile are weighed.
struct Weighing {
  bool nanoseconds = true;
  std::string title = "CPU";  // WeightTitle
};
Weighing WeighingOf(const analyze::View& view);

// A function's name, fit for a terminal; `none` for kNoFunction.
std::string NameText(const analyze::View& view, analyze::FunctionId function, const TextOptions& options,
                     const char* none = "");

// The name with "  FILE:LINE" after it, "  libm.so.6" for code without lines; a construct's name has the place already.
// `line` 0: of the declaration.
std::string PlacedName(const analyze::View& view, analyze::FunctionId function, uint32_t line,
                       const model::Symbolizer& symbolizer, const TextOptions& options);

// "solve.c:12", "" if not known.
std::string PlaceText(const analyze::View& view, const analyze::Line& place);

// "main > Run > influence", outermost first.
std::string PathText(const analyze::View& view, const std::vector<analyze::FunctionId>& path,
                     const TextOptions& options);

// "12.35 s", "1.25 M", "1,234": an amount in the metric's unit.
std::string AmountText(const analyze::View& view, analyze::Metric metric, uint64_t amount);

// The same, with "~" and its error where it is estimated.
std::string CostText(const analyze::View& view, analyze::Metric metric, const analyze::Cost& cost);

// "19.81 s of CPU sampled": the whole that shares are of.
std::string WholeText(const analyze::View& view, analyze::Metric metric);

// "CPU", "cache-misses", "samples", "waiting", "blame": a column's title.
std::string MetricTitle(const analyze::View& view, analyze::Metric metric);

// Share in its colour.
TextTable::Cell ShareCell(uint64_t part, uint64_t whole);

// A sampled share's error: "±1.2 %"; empty of nothing.
std::string ErrorText(const analyze::View& view, uint64_t weight);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_NAMES_TEXT_H_

// Names of functions and amounts for the tables of the text report.
#ifndef OMPPROF_PROFILER_REPORT_BASICS_NAMES_TEXT_H_
#define OMPPROF_PROFILER_REPORT_BASICS_NAMES_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view/cost.h"
#include "profiler/analyze/view/fold.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/basics/text_options.h"
#include "profiler/report/basics/text_table.h"

namespace ompprof::report {

// Whether sample weights are nanoseconds. All profiles of a view have one unit.
bool WeighsNanoseconds(const analyze::View& view);

// The title of a column of weights: "CPU" or "wall" for nanoseconds, the event's name for events.
std::string WeightTitle(const analyze::View& view);

// The unit and the title of a profile's weights.
struct Weighing {
  bool nanoseconds = true;
  std::string title = "CPU";  // WeightTitle
};
Weighing WeighingOf(const analyze::View& view);

// A function's name, safe for a terminal; `none` for kNoFunction.
std::string NameText(const analyze::View& view, analyze::FunctionId function, const TextOptions& options,
                     const char* none = "");

// The name followed by "  FILE:LINE", or by "  libm.so.6" for code without lines. A construct's name already has its
// place. `line` 0: the line of the declaration.
std::string PlacedName(const analyze::View& view, analyze::FunctionId function, uint32_t line,
                       const model::Symbolizer& symbolizer, const TextOptions& options);

// A state's plain name, or with `--raw` OMPT's own; `name` is from analyze::StateName.
std::string StateText(const std::string& name, const TextOptions& options);

// "solve.c:12"; "" if the place is not known.
std::string PlaceText(const analyze::View& view, const analyze::Line& place);

// "main > visit x46 > influence", outermost first. `calls`: by function of the path, the recursion folded there.
std::string PathText(const analyze::View& view, const std::vector<analyze::FunctionId>& path,
                     const std::vector<analyze::Recursion>& calls, const TextOptions& options);

// "12.35 s", "1.25 M", "1,234": an amount in the metric's unit.
std::string AmountText(const analyze::View& view, analyze::Metric metric, uint64_t amount);

// The cost's amount in the metric. An estimated amount has "~" and an error.
std::string CostText(const analyze::View& view, analyze::Metric metric, const analyze::Cost& cost);

// The whole for shares: "19.81 s of CPU sampled".
std::string WholeText(const analyze::View& view, analyze::Metric metric);

// A column's title: "CPU", "cache-misses", "samples", "waiting", "blame".
std::string MetricTitle(const analyze::View& view, analyze::Metric metric);

// A share with its colour.
TextTable::Cell ShareCell(uint64_t part, uint64_t whole);

// The error of a sampled share: "±1.2 %"; empty if `weight` is 0.
std::string ErrorText(const analyze::View& view, uint64_t weight);

// The processors with 1 % of the thread's samples or more: "0-3,8"; "0-7,..": and others than those that are kept.
std::string RanOnText(const analyze::PlacementFacts& placement);

// "may use 0-3, ran on 2"; empty: not known.
std::string PlacementText(const analyze::PlacementFacts& placement);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_BASICS_NAMES_TEXT_H_

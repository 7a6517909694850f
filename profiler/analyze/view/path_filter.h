// Removes functions from a view's paths: `--hide` and `--show-from`, with pprof's meaning. The command line calls these
// functions. FilterSamples (call_tree.h) removes whole samples.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_PATH_FILTER_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_PATH_FILTER_H_

#include <functional>
#include <vector>

#include "profiler/analyze/view/name_pattern.h"
#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

// By FunctionId: whether the function's name matches.
std::vector<bool> MatchingFunctions(const View& view, const NamePattern& pattern);

// Drops samples, also from the timeline.
void DropSamples(const std::function<bool(const ViewSample&)>& drop, View* view);

// Removes matching functions from every path, inlined functions too. Their costs go to their callers. Samples without a
// remaining function are dropped.
void HideFunctions(const NamePattern& pattern, View* view);

// Makes every path begin with its outermost matching function. Samples without a matching function are dropped.
void ShowFrom(const NamePattern& pattern, View* view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_PATH_FILTER_H_

// Which functions of a view's paths are shown: `--hide` and `--show-from`, with pprof's meaning. (Samples are chosen by
// FilterSamples, call_tree.h.)
#ifndef OMPPROF_PROFILER_ANALYZE_PATH_FILTER_H_
#define OMPPROF_PROFILER_ANALYZE_PATH_FILTER_H_

#include <functional>
#include <regex>
#include <string>
#include <vector>

#include "profiler/analyze/view.h"

namespace ompprof::analyze {

// Whether the first 4,000 characters of `name` have a match.
bool NameMatches(const std::string& name, const std::regex& pattern);

// True for each function whose name matches; by FunctionId.
std::vector<bool> MatchingFunctions(const View& view, const std::regex& pattern);

// Drops samples, with what the timeline has of them.
void DropSamples(const std::function<bool(const ViewSample&)>& drop, View* view);

// Takes functions that match out of every path, inlined ones too: what they cost is their callers'. A sample of which
// nothing is left goes.
void HideFunctions(const std::regex& pattern, View* view);

// Lets every path begin with its outermost function that matches; a sample without one goes.
void ShowFrom(const std::regex& pattern, View* view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_PATH_FILTER_H_

// Finds the functions that a name on the command line means. `ompprof annotate` calls it.
#ifndef OMPPROF_PROFILER_REPORT_ANNOTATE_TARGET_H_
#define OMPPROF_PROFILER_REPORT_ANNOTATE_TARGET_H_

#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"

namespace ompprof::report {

// By FunctionId: whether `text` means the function. The first of these rules with a match counts. (1) `text` is the
// path of the function's file, or the end of this path. (2) `text` is the function's name, in full or as reports show
// it; constructs in the function match too. (3) The function's name ends in "::" and `text`. (4) The name matches
// `text` as a regular expression. All false if no rule has a match.
std::vector<bool> FunctionsMeant(const analyze::View& view, const std::string& text);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_ANNOTATE_TARGET_H_

// Which functions a name on the command line means. `ompprof annotate` asks.
#ifndef OMPPROF_PROFILER_REPORT_ANNOTATE_TARGET_H_
#define OMPPROF_PROFILER_REPORT_ANNOTATE_TARGET_H_

#include <string>
#include <vector>

#include "profiler/analyze/view.h"

namespace ompprof::report {

// True, by FunctionId, for the functions that `text` means. The first of these that is any: functions in a file of that
// path, or of a path that ends in it; functions of that name, in full or as reports show it, with the constructs in
// them; functions whose name ends in "::" and it; names that match it as a regular expression. All false if there is
// none.
std::vector<bool> FunctionsMeant(const analyze::View& view, const std::string& text);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_ANNOTATE_TARGET_H_

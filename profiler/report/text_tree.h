// The call tree for a terminal.
#ifndef OMPPROF_PROFILER_REPORT_TEXT_TREE_H_
#define OMPPROF_PROFILER_REPORT_TEXT_TREE_H_

#include <string>

#include "profiler/analyze/call_tree.h"
#include "profiler/analyze/view.h"
#include "profiler/report/text_options.h"

namespace ompprof::report {

// Lines of total, self and function by options.metric, children below their caller by cost. What has less than
// options.min_percent of the whole is left out, and a line says how much that is. `tree` is sorted by the same metric.
std::string TextTree(const analyze::View& view, const analyze::CallTree& tree, const TextOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_TEXT_TREE_H_

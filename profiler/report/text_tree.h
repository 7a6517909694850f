// The call tree for a terminal.
#ifndef OMPPROF_PROFILER_REPORT_TEXT_TREE_H_
#define OMPPROF_PROFILER_REPORT_TEXT_TREE_H_

#include <string>

#include "profiler/analyze/call_tree.h"
#include "profiler/analyze/view.h"

namespace ompprof::report {

// Lines of total, self and function, children below their caller by cost. What has less than `min_percent` of the view's whole
// weight is left out, and a line says how much that is.
std::string TextTree(const analyze::View& view, const analyze::CallTree& tree, double min_percent,
                     bool full_names);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_TEXT_TREE_H_

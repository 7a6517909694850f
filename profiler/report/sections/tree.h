// The call tree for a terminal: `ompprof report --tree`.
#ifndef OMPPROF_PROFILER_REPORT_SECTIONS_TREE_H_
#define OMPPROF_PROFILER_REPORT_SECTIONS_TREE_H_

#include <string>

#include "profiler/analyze/view/call_tree.h"
#include "profiler/analyze/view/view.h"
#include "profiler/report/basics/text_options.h"

namespace ompprof::report {

// Lines with total, self and function, in options.metric. Children are below their caller, by cost. Functions with less
// than options.min_percent of the whole are left out, and a line says their sum. `tree` must be sorted by the same
// metric.
std::string TextTree(const analyze::View& view, const analyze::CallTree& tree, const TextOptions& options);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_SECTIONS_TREE_H_

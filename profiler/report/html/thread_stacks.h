// The stacks of each row of threads, in a size for the page: for the flame graph of one thread.
#ifndef OMPPROF_PROFILER_REPORT_HTML_THREAD_STACKS_H_
#define OMPPROF_PROFILER_REPORT_HTML_THREAD_STACKS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profiler/report/html/page_tree.h"
#include "profiler/report/html/stack_tree.h"

namespace ompprof::report {

// The number of such rows in each of a page's trees.
inline constexpr size_t kPageThreadStacks = 6000;

// The tree's costs by row of threads, at the nodes of `page`. `kept`: the page's node for each node of `tree`
// (CutTree). If there are more than `limit` rows, the smallest costs of a thread go to the callers of their functions,
// so the sums of each thread stay. Sorted by thread and node.
std::vector<ThreadStackRow> ThreadStacks(const StackTree& tree, const PageTree& page, const std::vector<uint32_t>& kept,
                                         size_t limit);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_THREAD_STACKS_H_

// A tree small enough for a page: of a tree of a million nodes those with the largest shares are kept, and what is
// left out under a node is one child of it, "(N more)", with their sums. Nothing of the totals is lost.
#ifndef OMPPROF_PROFILER_REPORT_HTML_PAGE_TREE_H_
#define OMPPROF_PROFILER_REPORT_HTML_PAGE_TREE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profiler/report/html/stack_tree.h"

namespace ompprof::report {

struct PageTree {
  struct Node {
    uint32_t parent;  // smaller than the node's own number; node 0 is the root
    int64_t frame;    // in PageNames; -N: N nodes that are not shown
  };
  std::vector<Node> nodes;
  std::vector<StackRow> rows;
};

// Nodes that a page's tree keeps: ten times what a flame graph as wide as a large screen can draw.
inline constexpr size_t kPageNodes = 12000;

// Top down. `kept`, if not null, gets the page tree's node for each node of `tree`.
PageTree CutTree(const StackTree& tree, size_t limit, std::vector<uint32_t>* kept);

// Bottom up: under the root are the functions that cost something themselves, and under each its callers. A node's row
// is at the last of the callers that are shown.
PageTree CallersTree(const StackTree& tree, size_t limit);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_PAGE_TREE_H_

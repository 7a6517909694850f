// Cuts a tree to a size for the page: a tree may have a million nodes. The nodes with the largest shares stay. The
// other children of a node become one child, "(N more)", with their sums. So all totals stay.
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
    int64_t frame;    // in PageNames; -N: stands for N nodes that were cut
    analyze::Recursion recursion = {};
  };
  std::vector<Node> nodes;
  std::vector<StackRow> rows;
};

// The number of nodes in a page's tree: ten times the number that a flame graph on a large screen can draw.
inline constexpr size_t kPageNodes = 12000;

// The tree from the root down. Below a wide "(N more)" are the 20 functions with the largest costs of their own in it.
// `kept`, if not null, gets the page tree's node for each node of `tree`.
PageTree CutTree(const StackTree& tree, size_t limit, std::vector<uint32_t>* kept);

// The tree from the leaves up. Below the root are the functions with a cost of their own, and below each function its
// callers. A row is at the last shown caller.
PageTree CallersTree(const StackTree& tree, size_t limit);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_PAGE_TREE_H_

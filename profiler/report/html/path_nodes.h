// Gives each call path of a view a number that stands for its nodes in the page's two trees: the whole tree and the
// folded tree. page_data.cc makes the timeline's columns with it.
#ifndef OMPPROF_PROFILER_REPORT_HTML_PATH_NODES_H_
#define OMPPROF_PROFILER_REPORT_HTML_PATH_NODES_H_

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "profiler/report/html/stack_tree.h"

namespace ompprof::report {

class PathNodes {
 public:
  struct Nodes {
    uint32_t whole;
    uint32_t folded;  // 0 without a folded tree
    bool operator<(const Nodes& other) const { return std::tie(whole, folded) < std::tie(other.whole, other.folded); }
  };

  // `kept`: the page's node for each node of the tree (CutTree).
  void AddWhole(const StackTree& tree, std::vector<uint32_t> kept);
  void AddFolded(const StackTree& tree, std::vector<uint32_t> kept);

  // The number of the path's nodes; 0: the roots. Paths with equal nodes have one number.
  uint32_t Of(analyze::PathId path);

  const Nodes& at(uint32_t number) const { return nodes_[number]; }
  bool has_folded() const { return !folded_.kept.empty(); }

 private:
  struct Side {
    std::vector<uint32_t> node_of_path;
    std::vector<uint32_t> kept;
    uint32_t Of(analyze::PathId path) const;
  };

  Side whole_;
  Side folded_;
  std::vector<Nodes> nodes_ = {{0, 0}};
  std::map<Nodes, uint32_t> numbers_ = {{{0, 0}, 0}};
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_PATH_NODES_H_

// The stacks of a view as one tree of frames, with the cost of each node in each OpenMP state. Inlined functions are
// distinct from called functions. The tree can also hold a second view, of a run to compare with. CutTree and
// CallersTree make the page's flame graphs from the tree.
#ifndef OMPPROF_PROFILER_REPORT_HTML_STACK_TREE_H_
#define OMPPROF_PROFILER_REPORT_HTML_STACK_TREE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/analyze/view/call_tree.h"
#include "profiler/analyze/view/fold.h"
#include "profiler/analyze/view/path_tree.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/html/thread_rows.h"
#include "profiler/report/html/time_class.h"
#include "proto/ompt_state.h"

namespace ompprof::report {

struct Frame {
  std::string name;
  std::string file;
  std::string module;  // path of the file that holds the function's code
  uint32_t line = 0;   // of the declaration
  bool inlined = false;
  uint32_t function = 0;  // a number that the inlined and the called function share
};

struct State {
  std::string name;
  TimeClass time_class;
};

// Numbers for frames and states, equal in all trees of a page.
class PageNames {
 public:
  // Frames with equal name, module file name and `inlined` have one number. So the frames of two builds of a program
  // are equal.
  uint32_t AddFrame(const analyze::ViewFunction& function, const std::string& module, bool inlined);
  uint32_t AddState(const analyze::ProcessFacts& process, OmptState state);

  const std::vector<Frame>& frames() const { return frames_; }
  const std::vector<State>& states() const { return states_; }

 private:
  std::vector<Frame> frames_;
  std::vector<State> states_;
  std::unordered_map<std::string, uint32_t> frame_by_key_;
  std::unordered_map<std::string, uint32_t> function_by_key_;
  std::unordered_map<std::string, uint32_t> state_by_name_;
};

struct StackRow {
  uint32_t node;
  uint32_t state;
  bool before;  // belongs to the run to compare with
  analyze::Cost cost;
};

// A node's own cost in one row of threads (ThreadRows).
struct ThreadStackRow {
  uint32_t thread;  // the row of threads
  uint32_t node;
  uint32_t state;
  analyze::Cost cost;
};

class StackTree {
 public:
  // Adds the view's samples. `before`: the view is the run to compare with. Called once for each view. `threads`, if
  // not null, are the rows of threads of which the tree keeps the costs.
  void Add(const analyze::View& view, const model::Symbolizer& symbolizer, bool before, PageNames* names,
           const ThreadRows* threads = nullptr);

  // The tree with recursion folded (analyze/fold.h); nothing if there is no recursion. `names`: as in Add.
  std::optional<StackTree> Folded(const PageNames& names) const;

  // Node 0 is the root. A node's parent has a smaller number.
  uint32_t size() const { return static_cast<uint32_t>(tree_.size()); }
  uint32_t parent(uint32_t node) const { return tree_.node(node).parent; }
  uint32_t frame(uint32_t node) const { return tree_.node(node).location - 1; }

  // In a folded tree, the depth of the recursion at the node.
  analyze::Recursion recursion(uint32_t node) const {
    return recursions_.empty() ? analyze::Recursion() : recursions_[node];
  }

  // The nodes' own costs. Two rows differ in more than their costs.
  const std::vector<StackRow>& rows() const { return rows_; }

  // The costs by row of threads, as given to Add. Sums over threads are those of `rows`.
  const std::vector<ThreadStackRow>& thread_rows() const { return thread_rows_; }

  // For the view added with `before` false: the node of each path. kNoNode for a path without samples.
  static constexpr uint32_t kNoNode = 0xffffffff;
  const std::vector<uint32_t>& node_of_path() const { return node_of_path_; }

 private:
  analyze::PathTree tree_;  // a frame's number + 1 takes the place of a location
  std::vector<StackRow> rows_;
  std::vector<ThreadStackRow> thread_rows_;
  std::vector<uint32_t> node_of_path_;
  std::vector<analyze::Recursion> recursions_;  // by node; empty: not folded
};

// Merges rows that differ only in their costs, and sorts them by their members.
void MergeRows(std::vector<StackRow>* rows);
void MergeRows(std::vector<ThreadStackRow>* rows);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_STACK_TREE_H_

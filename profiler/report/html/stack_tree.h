// The stacks of a view as one tree of frames, inlined functions told from called ones, with what each node cost in each
// OpenMP state. A second view, of a run to compare with, can be in the same tree. The page's flame graphs are cut from
// it.
#ifndef OMPPROF_PROFILER_REPORT_HTML_STACK_TREE_H_
#define OMPPROF_PROFILER_REPORT_HTML_STACK_TREE_H_

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/analyze/call_tree.h"
#include "profiler/analyze/path_tree.h"
#include "profiler/analyze/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/html/time_class.h"
#include "proto/ompt_state.h"

namespace ompprof::report {

struct Frame {
  std::string name;
  std::string file;
  std::string module;  // path of the file that holds its code
  uint32_t line = 0;   // of the declaration
  bool inlined = false;
};

struct State {
  std::string name;
  TimeClass time_class;
};

// Frames and states by number, the same in all trees of a page.
class PageNames {
 public:
  // Frames are the same if name, module's file name and `inlined` are: those of two builds of a program meet.
  uint32_t AddFrame(const analyze::ViewFunction& function, const std::string& module, bool inlined);
  uint32_t AddState(const analyze::ProcessFacts& process, OmptState state);

  const std::vector<Frame>& frames() const { return frames_; }
  const std::vector<State>& states() const { return states_; }

 private:
  std::vector<Frame> frames_;
  std::vector<State> states_;
  std::unordered_map<std::string, uint32_t> frame_by_key_;
  std::unordered_map<std::string, uint32_t> state_by_name_;
};

struct StackRow {
  uint32_t node;
  uint32_t state;
  bool before;  // of the run to compare with
  analyze::Cost cost;
};

class StackTree {
 public:
  // Adds the view's samples; `before`: of the run to compare with. Call it once for each.
  void Add(const analyze::View& view, const model::Symbolizer& symbolizer, bool before, PageNames* names);

  // Node 0 is the root. A node's parent has a smaller number.
  uint32_t size() const { return static_cast<uint32_t>(tree_.size()); }
  uint32_t parent(uint32_t node) const { return tree_.node(node).parent; }
  uint32_t frame(uint32_t node) const { return tree_.node(node).location - 1; }

  // What nodes cost themselves; no two alike but for their costs.
  const std::vector<StackRow>& rows() const { return rows_; }

  // The node of each path of the view that was added with `before` false; kNoNode for a path no sample has.
  static constexpr uint32_t kNoNode = 0xffffffff;
  const std::vector<uint32_t>& node_of_path() const { return node_of_path_; }

 private:
  analyze::PathTree tree_;  // a frame's number + 1 takes a location's place
  std::vector<StackRow> rows_;
  std::vector<uint32_t> node_of_path_;
};

// Adds rows that are alike but for their costs together.
void MergeRows(std::vector<StackRow>* rows);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_STACK_TREE_H_

#include "profiler/report/html/stack_tree.h"

#include <algorithm>
#include <tuple>

#include "profiler/analyze/view/omp_state.h"
#include "profiler/report/basics/units.h"
#include "proto/ompt_state.h"

namespace ompprof::report {
namespace {

constexpr uint32_t kNotAsked = 0xffffffff;

// Caches the numbers of a view's functions and states, so each name is looked up by text only once.
class ViewNames {
 public:
  ViewNames(const analyze::View& view, const model::Symbolizer& symbolizer, PageNames* names)
      : view_(view), symbolizer_(symbolizer), names_(*names), frames_(2 * view.frames.function_count(), kNotAsked) {}

  uint32_t Frame(analyze::FunctionId function, bool inlined) {
    uint32_t& frame = frames_[2 * function + (inlined ? 1 : 0)];
    if (frame == kNotAsked) {
      const analyze::ViewFunction& known = view_.frames.function(function);
      frame = names_.AddFrame(known, symbolizer_.objects()[known.object].path, inlined);
    }
    return frame;
  }

  uint32_t State(uint32_t process, OmptState state) {
    const auto [entry, added] = states_.emplace(std::make_pair(process, state), 0);
    if (added) entry->second = names_.AddState(view_.run.process(process), state);
    return entry->second;
  }

 private:
  const analyze::View& view_;
  const model::Symbolizer& symbolizer_;
  PageNames& names_;
  std::vector<uint32_t> frames_;
  std::map<std::pair<uint32_t, OmptState>, uint32_t> states_;
};

// Sorts by `key` and adds up the rows with equal keys.
template <class Row, class Key>
void Merge(std::vector<Row>* rows, Key key) {
  std::sort(rows->begin(), rows->end(), [&](const Row& a, const Row& b) { return key(a) < key(b); });
  size_t kept = 0;
  for (const Row& row : *rows) {
    if (kept > 0 && key((*rows)[kept - 1]) == key(row))
      (*rows)[kept - 1].cost.Add(row.cost);
    else
      (*rows)[kept++] = row;
  }
  rows->resize(kept);
}

}  // namespace

uint32_t PageNames::AddFrame(const analyze::ViewFunction& function, const std::string& module, bool inlined) {
  std::string key = function.name + '\0' + BaseName(module);
  const auto number = function_by_key_.emplace(key, static_cast<uint32_t>(function_by_key_.size())).first->second;
  key += inlined ? '\1' : '\0';
  const auto [entry, added] = frame_by_key_.emplace(std::move(key), static_cast<uint32_t>(frames_.size()));
  if (added) frames_.push_back({function.name, function.file, module, function.line, inlined, number});
  return entry->second;
}

uint32_t PageNames::AddState(const analyze::ProcessFacts& process, OmptState state) {
  std::string name = analyze::StateName(process, state);
  const auto [entry, added] = state_by_name_.emplace(name, static_cast<uint32_t>(states_.size()));
  if (added) states_.push_back({std::move(name), TimeClassOf(state)});
  return entry->second;
}

void StackTree::Add(const analyze::View& view, const model::Symbolizer& symbolizer, bool before, PageNames* names,
                    const ThreadRows* threads) {
  ViewNames known(view, symbolizer, names);
  std::vector<bool> wanted(view.paths.size());
  for (const analyze::ViewSample& sample : view.samples) wanted[sample.path] = true;
  for (auto path = static_cast<analyze::PathId>(wanted.size()); path-- > 1;) {
    if (wanted[path]) wanted[view.paths.node(path).parent] = true;
  }
  std::vector<uint32_t> node_of(view.paths.size(), kNoNode);
  node_of[analyze::kEmptyPath] = 0;
  for (analyze::PathId path = 1; path < node_of.size(); ++path) {
    if (!wanted[path]) continue;
    const analyze::PathTree::Node& node = view.paths.node(path);
    const analyze::Location& location = view.frames.location(node.location);
    uint32_t at = node_of[node.parent];
    for (uint32_t i = location.line_count; i-- > 0;) {
      const analyze::FunctionId function = view.frames.line(location.first_line + i).function;
      at = tree_.Child(at, known.Frame(function, i + 1 < location.line_count) + 1);
    }
    node_of[path] = at;
  }
  for (const analyze::ViewSample& sample : view.samples) {
    if (sample.interval) continue;  // belongs to the timeline only
    StackRow row{node_of[sample.path], known.State(sample.process, sample.state), before, {}};
    row.cost.Add(sample.cost);
    rows_.push_back(row);
    if (threads != nullptr)
      thread_rows_.push_back({threads->Of(sample.process, sample.thread), row.node, row.state, row.cost});
  }
  MergeRows(&rows_);
  MergeRows(&thread_rows_);
  if (!before) node_of_path_ = std::move(node_of);
}

std::optional<StackTree> StackTree::Folded(const PageNames& names) const {
  std::vector<analyze::FoldFrame> frames = {{0, 0, 0}};
  frames.reserve(size());
  for (uint32_t node = 1; node < size(); ++node) {
    const Frame& shown = names.frames()[frame(node)];
    frames.push_back({parent(node), shown.function, shown.inlined ? 1u : 0u, shown.name == analyze::kFramesCut});
  }
  const analyze::Folding folding = analyze::FoldRecursion(frames, analyze::FoldPlace::kFirst);
  if (!folding.any) return std::nullopt;

  StackTree folded;
  for (const analyze::FoldedNode& node : folding.nodes) {
    // Function and place are a frame, so the nodes get the numbers that they have in `folding`.
    if (!folded.recursions_.empty()) folded.tree_.Child(node.parent, tree_.node(node.frame).location);
    folded.recursions_.push_back(node.recursion);
  }
  folded.rows_ = rows_;
  for (StackRow& row : folded.rows_) row.node = folding.node_of[row.node];
  MergeRows(&folded.rows_);
  folded.thread_rows_ = thread_rows_;
  for (ThreadStackRow& row : folded.thread_rows_) row.node = folding.node_of[row.node];
  MergeRows(&folded.thread_rows_);
  for (const uint32_t node : node_of_path_)
    folded.node_of_path_.push_back(node == kNoNode ? kNoNode : folding.node_of[node]);
  return folded;
}

void MergeRows(std::vector<StackRow>* rows) {
  Merge(rows, [](const StackRow& row) { return std::tie(row.before, row.node, row.state); });
}

void MergeRows(std::vector<ThreadStackRow>* rows) {
  Merge(rows, [](const ThreadStackRow& row) { return std::tie(row.thread, row.node, row.state); });
}

}  // namespace ompprof::report

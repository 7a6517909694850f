#include "profiler/analyze/view/fold.h"

#include <algorithm>
#include <unordered_map>

#include "profiler/analyze/view/path_tree.h"

namespace ompprof::analyze {
namespace {

constexpr uint32_t kNone = 0;

// The children of each node: of[first[n]] to of[first[n + 1] - 1].
struct Children {
  std::vector<uint32_t> first;
  std::vector<uint32_t> of;
};

Children ChildrenOf(const std::vector<FoldFrame>& tree) {
  Children children;
  children.first.assign(tree.size() + 1, 0);
  for (size_t i = 1; i < tree.size(); ++i) ++children.first[tree[i].parent + 1];
  for (size_t i = 0; i < tree.size(); ++i) children.first[i + 1] += children.first[i];
  children.of.resize(tree.size());
  std::vector<uint32_t> next(children.first.begin(), children.first.end() - 1);
  for (uint32_t i = 1; i < tree.size(); ++i) children.of[next[tree[i].parent]++] = i;
  return children;
}

class Folder {
 public:
  Folder(const std::vector<FoldFrame>& tree, FoldPlace place)
      : tree_(tree), place_(place), same_(tree.size(), kNone), steps_(tree.size()) {
    uint32_t functions = 0;
    for (const FoldFrame& frame : tree) functions = std::max(functions, frame.function + 1);
    recursive_.assign(functions, false);
  }

  Folding Fold() {
    FindRecursive();
    folding_.node_of.assign(tree_.size(), 0);
    folding_.nodes.push_back({0, 0, {}});
    for (uint32_t node = 1; node < tree_.size(); ++node) Enter(node);
    return std::move(folding_);
  }

 private:
  // A frame on the folded path of its node. A later frame of the recursion replaces it.
  struct Step {
    uint32_t up = 0;     // the node whose step is the previous step on the folded path; 0: the root
    uint32_t depth = 0;  // on the folded path
    uint32_t gaps = 0;   // on the unfolded path
    Recursion recursion;
  };

  // Depth first: finds the nearest node above each node with the same function.
  void FindRecursive() {
    const Children children = ChildrenOf(tree_);
    std::vector<uint32_t> next(children.first.begin(), children.first.end() - 1);
    std::vector<uint32_t> last(recursive_.size(), kNone);
    uint32_t at = 0;
    while (true) {
      if (next[at] < children.first[at + 1]) {
        at = children.of[next[at]++];
        uint32_t& above = last[tree_[at].function];
        same_[at] = above;
        if (above != kNone) recursive_[tree_[at].function] = true;
        above = at;
        continue;
      }
      if (at == 0) return;
      last[tree_[at].function] = same_[at];
      at = tree_[at].parent;
    }
  }

  // The node whose step has the function of `node`, if a recursion leads from there to `node`.
  uint32_t FindHead(uint32_t node) {
    uint32_t at = tree_[node].parent;
    for (uint32_t looks = 0; at != 0 && looks < kLongestCycle; ++looks, at = steps_[at].up) {
      ++folding_.looks;
      if (tree_[at].function == tree_[node].function) return at;
      if (!recursive_[tree_[at].function] && !tree_[at].is_gap) return kNone;
    }
    return kNone;
  }

  // Whether the step of `node` has left the folded path that ends with the step of `end`.
  bool HasLeft(uint32_t node, uint32_t end) {
    for (uint32_t looks = 0; steps_[end].depth > steps_[node].depth; ++looks, end = steps_[end].up) {
      if (looks == kLongestCycle) return false;
      ++folding_.looks;
    }
    return end != node;
  }

  uint32_t Child(uint32_t parent, uint32_t node) {
    const uint64_t key = uint64_t{tree_[node].function} << 32 | tree_[node].place;
    const uint32_t place = places_.emplace(key, static_cast<uint32_t>(places_.size() + 1)).first->second;
    const uint32_t child = paths_.Child(parent, place);
    if (child == folding_.nodes.size()) folding_.nodes.push_back({parent, node, {}});
    return child;
  }

  // Appends the frame of `node` to the folded path of its parent.
  void Enter(uint32_t node) {
    const uint32_t parent = tree_[node].parent;
    const uint32_t same = same_[node];
    const uint32_t head = same == kNone ? kNone : FindHead(node);
    Step& step = steps_[node];
    step.gaps = steps_[parent].gaps + (tree_[node].is_gap ? 1 : 0);
    uint32_t folded;
    if (head == kNone) {
      step.up = parent;
      step.depth = steps_[parent].depth + 1;
      folded = Child(folding_.node_of[parent], node);
    } else {
      folding_.any = true;
      step.up = steps_[head].up;
      step.depth = steps_[head].depth;
      const uint32_t first = folding_.node_of[head];
      folded = place_ == FoldPlace::kFirst ? first : Child(folding_.nodes[first].parent, node);
    }
    // A function that left the path within a recursion continues its count when it comes back.
    if (same != kNone && (head != kNone || HasLeft(same, parent))) {
      step.recursion.calls = steps_[same].recursion.calls + 1;
      step.recursion.at_least = steps_[same].recursion.at_least || steps_[same].gaps != step.gaps;
    }
    folding_.node_of[node] = folded;
    folding_.nodes[folded].recursion.Include(step.recursion);
  }

  const std::vector<FoldFrame>& tree_;
  const FoldPlace place_;
  std::vector<bool> recursive_;  // by function
  std::vector<uint32_t> same_;   // by node: the nearest node above with the same function
  std::vector<Step> steps_;      // by node
  PathTree paths_;
  std::unordered_map<uint64_t, uint32_t> places_;
  Folding folding_;
};

}  // namespace

Folding FoldRecursion(const std::vector<FoldFrame>& tree, FoldPlace place) { return Folder(tree, place).Fold(); }

std::string RecursionText(const Recursion& recursion) {
  if (recursion.calls == 1) return "";
  return "x" + std::to_string(recursion.calls) + (recursion.at_least ? "+" : "");
}

}  // namespace ompprof::analyze

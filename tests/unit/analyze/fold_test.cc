// Recursion folds into one copy of its cycle, with the depth at each function. The known answers are worked out by hand
// from the rule in fold.h.
#include "profiler/analyze/view/fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>

namespace ompprof::analyze {
namespace {

using Strings = std::vector<std::string>;

// A tree of call paths. A frame is NAME or NAME:LINE; "..." is a gap.
class Tree {
 public:
  Tree() : frames_{{0, 0, 0}}, names_{""} {}

  uint32_t Add(const std::string& path) {
    uint32_t at = 0;
    std::istringstream words(path);
    for (std::string word; words >> word;) {
      const auto [entry, added] = children_.emplace(std::make_pair(at, word), frames_.size());
      if (added) {
        const size_t colon = word.find(':');
        const std::string name = word.substr(0, colon);
        const uint32_t line =
            colon == std::string::npos ? 0 : static_cast<uint32_t>(std::stoul(word.substr(colon + 1)));
        const uint32_t function = functions_.emplace(name, functions_.size() + 1).first->second;
        frames_.push_back({at, function, line, name == "..."});
        names_.push_back(word);
      }
      at = entry->second;
    }
    return at;
  }

  Folding Fold(FoldPlace place = FoldPlace::kFirst) const { return FoldRecursion(frames_, place); }

  // A folded path: "main f*3 work".
  std::string Text(const Folding& folding, uint32_t leaf) const {
    std::string text;
    for (uint32_t at = folding.node_of[leaf]; at != 0; at = folding.nodes[at].parent) {
      const FoldedNode& node = folding.nodes[at];
      std::string depth = RecursionText(node.recursion);
      if (!depth.empty()) depth[0] = '*';
      text.insert(0, names_[node.frame] + depth + (text.empty() ? "" : " "));
    }
    return text;
  }

  size_t size() const { return frames_.size(); }
  const std::string& name(uint32_t node) const { return names_[node]; }
  const std::vector<FoldFrame>& frames() const { return frames_; }

 private:
  std::vector<FoldFrame> frames_;
  Strings names_;
  std::map<std::pair<uint32_t, std::string>, uint32_t> children_;
  std::map<std::string, uint32_t> functions_;
};

std::string FoldPath(const std::string& path, FoldPlace place = FoldPlace::kFirst) {
  Tree tree;
  const uint32_t leaf = tree.Add(path);
  return tree.Text(tree.Fold(place), leaf);
}

TEST(Fold, PathWithoutRecursionStays) {
  EXPECT_EQ(FoldPath(""), "");
  EXPECT_EQ(FoldPath("main solve relax"), "main solve relax");
  Tree tree;
  tree.Add("main solve relax");
  EXPECT_FALSE(tree.Fold().any);
}

TEST(Fold, FunctionThatCallsItself) {
  EXPECT_EQ(FoldPath("main f f f work"), "main f*3 work");
  EXPECT_EQ(FoldPath("main f f f"), "main f*3");
  EXPECT_EQ(FoldPath("f f"), "f*2");
}

TEST(Fold, CycleOfSeveralFunctions) {
  EXPECT_EQ(FoldPath("main f g f g f g work"), "main f*3 g*3 work");
  EXPECT_EQ(FoldPath("main a b c a b c a b c"), "main a*3 b*3 c*3");
  // The last round stops half-way.
  EXPECT_EQ(FoldPath("main a b c a b c a work"), "main a*3 work");
}

// Tasks of two sites in any order, as a recursive task program has them.
TEST(Fold, WaysThroughTheRecursionInAnyOrder) {
  EXPECT_EQ(FoldPath("main f s f t f t f s f work"), "main f*5 work");
  // The recursion is entered at s, and goes on from its last s.
  EXPECT_EQ(FoldPath("main s f t f t f s f work"), "main s*2 f*4 work");
}

TEST(Fold, TwoRecursionsInOnePath) { EXPECT_EQ(FoldPath("main f f f between g g work"), "main f*3 between g*2 work"); }

TEST(Fold, FunctionCalledAgainWithoutRecursionBetweenIsKept) {
  // sort calls two different functions back, and neither calls itself.
  EXPECT_EQ(FoldPath("main sort rows sort columns work"), "main sort rows sort columns work");
  // A once-used function ends the recursion around it.
  EXPECT_EQ(FoldPath("main f f once f f work"), "main f*2 once f*2 work");
}

TEST(Fold, OtherPathsTellTheRecursiveFunctions) {
  Tree tree;
  const uint32_t shallow = tree.Add("main f g f work");
  EXPECT_EQ(tree.Text(tree.Fold(), shallow), "main f g f work");
  tree.Add("main f g f g work");
  EXPECT_EQ(tree.Text(tree.Fold(), shallow), "main f*2 work");
}

TEST(Fold, PathsOfAllDepthsBecomeOneNode) {
  Tree tree;
  std::string path = "main";
  std::vector<uint32_t> leaves;
  for (int depth = 1; depth <= 46; ++depth) leaves.push_back(tree.Add((path += " f t") + " work"));
  const Folding folding = tree.Fold();
  for (const uint32_t leaf : leaves) EXPECT_EQ(folding.node_of[leaf], folding.node_of[leaves[0]]);
  EXPECT_EQ(tree.Text(folding, leaves[0]), "main f*46 t*46 work");
  EXPECT_EQ(folding.nodes.size(), 5u);  // the root and these
}

TEST(Fold, BranchesThatDoNotRecurStay) {
  Tree tree;
  const uint32_t deep = tree.Add("main f f f log write");
  const uint32_t shallow = tree.Add("main f log write");
  const uint32_t other = tree.Add("main f f scan");
  const Folding folding = tree.Fold();
  EXPECT_EQ(tree.Text(folding, deep), "main f*3 log write");
  EXPECT_EQ(tree.Text(folding, other), "main f*3 scan");
  EXPECT_EQ(folding.node_of[deep], folding.node_of[shallow]);
}

TEST(Fold, LinesOfOneFunctionFoldByFunction) {
  EXPECT_EQ(FoldPath("main:3 f:10 f:12 f:10 f:15", FoldPlace::kLast), "main:3 f:15*4");
  EXPECT_EQ(FoldPath("main:3 f:10 f:12 f:10 work:1", FoldPlace::kLast), "main:3 f:10*3 work:1");
  EXPECT_EQ(FoldPath("main:3 f:10 f:12 work:1", FoldPlace::kFirst), "main:3 f:10*2 work:1");
}

TEST(Fold, CutFramesBelongToTheRecursionAroundThem) {
  EXPECT_EQ(FoldPath("main f f ... f f work"), "main f*4+ work");
  EXPECT_EQ(FoldPath("main f g f g ... g f g work"), "main f*3+ g*4+ work");
  // Root and leaf that no recursion connects keep the gap between them.
  EXPECT_EQ(FoldPath("main a b ... c d"), "main a b ... c d");
  EXPECT_EQ(FoldPath("main f f ... c d"), "main f*2 ... c d");
}

TEST(Fold, CycleLongerThanTheBoundStays) {
  const auto cycle = [](uint32_t length) {
    std::string path;
    for (uint32_t round = 0; round < 2; ++round) {
      for (uint32_t i = 0; i < length; ++i) path += "f" + std::to_string(i) + " ";
    }
    return path;
  };
  const auto depth = [&](uint32_t length) {
    Tree tree;
    const uint32_t leaf = tree.Add(cycle(length));
    const Folding folding = tree.Fold();
    uint32_t frames = 0;
    for (uint32_t at = folding.node_of[leaf]; at != 0; at = folding.nodes[at].parent) ++frames;
    return frames;
  };
  EXPECT_EQ(depth(kLongestCycle), kLongestCycle);
  EXPECT_EQ(depth(kLongestCycle + 1), 2 * (kLongestCycle + 1));
}

// 200 paths of 40 frames, from six functions that call each other at random.
Strings RandomPaths() {
  Strings paths;
  uint32_t state = 1;
  for (int path = 0; path < 200; ++path) {
    std::string text = "main";
    for (int frame = 0; frame < 40; ++frame) {
      state = state * 1664525 + 1013904223;
      text += std::string(" ") + "abcdef"[(state >> 16) % 6];
    }
    paths.push_back(text);
  }
  return paths;
}

TEST(Fold, FoldedPathFoldsToItself) {
  Tree tree;
  std::vector<uint32_t> leaves;
  for (const std::string& path : RandomPaths()) leaves.push_back(tree.Add(path));
  const Folding once = tree.Fold();
  Tree again;
  again.Add("a a b b c c d d e e f f");  // the same functions are recursive
  std::vector<std::pair<uint32_t, std::string>> folded;
  for (const uint32_t leaf : leaves) {
    std::string path;
    for (uint32_t at = once.node_of[leaf]; at != 0; at = once.nodes[at].parent)
      path.insert(0, tree.name(once.nodes[at].frame) + " ");
    folded.emplace_back(again.Add(path), path);
  }
  const Folding twice = again.Fold();
  for (const auto& [leaf, path] : folded) {
    std::string refolded;
    for (uint32_t at = twice.node_of[leaf]; at != 0; at = twice.nodes[at].parent)
      refolded.insert(0, again.name(twice.nodes[at].frame) + " ");
    EXPECT_EQ(refolded, path);
  }
}

// Every node's own amount goes to one folded node of the same function.
TEST(Fold, OwnAmountsStayWithTheirFunctionAndAddUp) {
  Tree tree;
  for (const std::string& path : RandomPaths()) tree.Add(path);
  const Folding folding = tree.Fold();
  std::map<uint32_t, uint64_t> own;
  std::map<uint32_t, uint64_t> folded_own;
  for (uint32_t node = 1; node < tree.size(); ++node) {
    own[tree.frames()[node].function] += node;
    folded_own[tree.frames()[folding.nodes[folding.node_of[node]].frame].function] += node;
  }
  EXPECT_EQ(own, folded_own);
  for (uint32_t node = 1; node < folding.nodes.size(); ++node) EXPECT_LT(folding.nodes[node].parent, node);
  // Paths in which none of six functions comes twice: 6 + 6*5 + ... + 6! = 1956, and main and the root.
  EXPECT_LE(folding.nodes.size(), 1958u) << "of " << tree.size();
}

TEST(Fold, CostIsLinearInTheDepth) {
  const auto looks = [](const std::string& cycle, int frames) {
    std::string path;
    for (int i = 0; i < frames; ++i) path += cycle;
    Tree tree;
    tree.Add(path);
    return tree.Fold().looks;
  };
  EXPECT_EQ(looks("f ", 10000), 9999u);
  // Three for each frame after the first round, on average.
  EXPECT_EQ(looks("a b c d e ", 1000), 3u * (5000 - 5));
  EXPECT_EQ(looks("a b c d e ", 10000), 3u * (50000 - 5));
  // No cycle is short enough, so every search goes to its bound.
  std::string longest;
  for (int i = 0; i < 100; ++i) longest += "f" + std::to_string(i) + " ";
  EXPECT_LE(looks(longest, 100), 10000u * 2 * kLongestCycle);
}

TEST(RecursionText, SaysTheDepth) {
  EXPECT_EQ(RecursionText({1, false}), "");
  EXPECT_EQ(RecursionText({46, false}), "x46");
  EXPECT_EQ(RecursionText({511, true}), "x511+");
}

}  // namespace
}  // namespace ompprof::analyze

// Trees cut to a page's limits: what is kept, and that no sum is lost.
#include "profiler/report/html/page_tree.h"
#include "proto/ompt_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>

namespace ompprof::report {
namespace {

// A view whose samples are given as stacks of function names, outermost first.
class Stacks {
 public:
  Stacks() { view_.run.processes.emplace_back().sampling.weight_unit = "nanoseconds"; }

  void Add(const std::vector<std::string>& stack, uint64_t weight, uint64_t wait = 0,
           OmptState state = OmptState::kWorkParallel) {
    analyze::PathId path = analyze::kEmptyPath;
    for (const std::string& name : stack)
      path = view_.paths.Child(path, view_.frames.AddSynthesized(view_.frames.AddFunction({name, "", "a.c", 1, 0})));
    analyze::ViewSample sample{};
    sample.path = path;
    sample.state = state;
    sample.cost.samples = weight > 0 ? 1 : 0;
    sample.cost.weight = weight;
    sample.cost.wait = wait;
    view_.samples.push_back(sample);
  }

  // `outer` calls `inner`, which is inlined into it.
  void AddInlined(const std::string& outer, const std::string& inner, uint64_t weight) {
    const analyze::FunctionId functions[] = {view_.frames.AddFunction({inner, "", "a.c", 1, 0}),
                                             view_.frames.AddFunction({outer, "", "a.c", 1, 0})};
    analyze::ViewSample sample{};
    sample.path = view_.paths.Child(analyze::kEmptyPath,
                                    view_.frames.AddLocation({0, 77}, {{functions[0], 1}, {functions[1], 2}}));
    sample.state = OmptState::kWorkParallel;
    sample.cost.samples = 1;
    sample.cost.weight = weight;
    view_.samples.push_back(sample);
  }

  StackTree Tree(bool before = false) {
    StackTree tree;
    tree.Add(view_, symbolizer_, before, &names_);
    return tree;
  }

  const analyze::View& view() const { return view_; }
  const model::Symbolizer& symbolizer() const { return symbolizer_; }
  PageNames names_;

 private:
  model::Symbolizer symbolizer_;
  analyze::View view_;
};

struct Sum {
  uint64_t weight = 0;
  uint64_t wait = 0;
};

// The figures under each node, with the names on the way to it: "main/f", "main/(3 more)".
std::map<std::string, Sum> Totals(const PageTree& tree, const PageNames& names) {
  std::vector<Sum> sums(tree.nodes.size());
  for (const StackRow& row : tree.rows) {
    sums[row.node].weight += row.cost.weight;
    sums[row.node].wait += row.cost.wait;
  }
  for (size_t node = tree.nodes.size(); node-- > 1;) {
    EXPECT_LT(tree.nodes[node].parent, node);
    sums[tree.nodes[node].parent].weight += sums[node].weight;
    sums[tree.nodes[node].parent].wait += sums[node].wait;
  }
  std::vector<std::string> paths(tree.nodes.size());
  std::map<std::string, Sum> totals = {{"", sums[0]}};
  for (size_t node = 1; node < tree.nodes.size(); ++node) {
    const int64_t frame = tree.nodes[node].frame;
    const std::string name =
        frame < 0 ? "(" + std::to_string(-frame) + " more)" : names.frames()[static_cast<size_t>(frame)].name;
    paths[node] = paths[tree.nodes[node].parent] + "/" + name;
    EXPECT_EQ(totals.count(paths[node]), 0U) << paths[node] << " is there twice";
    totals[paths[node]] = sums[node];
  }
  return totals;
}

TEST(CutTreeTest, KeepsAllOfASmallTree) {
  Stacks stacks;
  stacks.Add({"main", "f"}, 30);
  stacks.Add({"main", "g"}, 20, 5, OmptState::kWaitBarrierImplicit);
  stacks.Add({"main"}, 1);
  const auto totals = Totals(CutTree(stacks.Tree(), 100, nullptr), stacks.names_);
  EXPECT_EQ(totals.size(), 4U);
  EXPECT_EQ(totals.at("/main").weight, 51U);
  EXPECT_EQ(totals.at("/main/f").weight, 30U);
  EXPECT_EQ(totals.at("/main/g").wait, 5U);
}

TEST(CutTreeTest, FoldsTheSmallestWithTheirSums) {
  Stacks stacks;
  stacks.Add({"main", "large"}, 100);
  stacks.Add({"main", "a"}, 1);
  stacks.Add({"main", "b", "c"}, 2);
  stacks.Add({"main", "b", "d"}, 1);
  std::vector<uint32_t> kept;
  const StackTree tree = stacks.Tree();
  const auto totals = Totals(CutTree(tree, 3, &kept), stacks.names_);
  EXPECT_EQ(totals.at("").weight, 104U);
  EXPECT_EQ(totals.at("/main/large").weight, 100U);
  EXPECT_EQ(totals.at("/main/(4 more)").weight, 4U);
  // Below it are the functions that have its costs.
  EXPECT_EQ(totals.at("/main/(4 more)/c").weight, 2U);
  EXPECT_EQ(totals.at("/main/(4 more)/a").weight, 1U);
  EXPECT_EQ(totals.at("/main/(4 more)/d").weight, 1U);
  EXPECT_EQ(totals.size(), 7U);
  EXPECT_EQ(kept.size(), tree.size());
}

// Code with long waits is kept although it takes no CPU time.
TEST(CutTreeTest, GoesByEveryMeasure) {
  Stacks stacks;
  stacks.Add({"work"}, 1000);
  for (int i = 0; i < 50; ++i) stacks.Add({"small" + std::to_string(i)}, 10);
  stacks.Add({"sleeper"}, 0, 500, OmptState::kWaitBarrierImplicit);
  const auto totals = Totals(CutTree(stacks.Tree(), 3, nullptr), stacks.names_);
  EXPECT_EQ(totals.at("/sleeper").wait, 500U);
  EXPECT_EQ(totals.at("/work").weight, 1000U);
  EXPECT_EQ(totals.at("/(50 more)").weight, 500U);
}

TEST(CutTreeTest, LosesNothingOfALargeTree) {
  Stacks stacks;
  std::mt19937 random(1);
  uint64_t sum = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::string> stack;
    for (uint32_t depth = 1 + random() % 12; depth > 0; --depth) stack.push_back("f" + std::to_string(random() % 30));
    const uint64_t weight = 1 + random() % 1000;
    stacks.Add(stack, weight);
    sum += weight;
  }
  const StackTree tree = stacks.Tree();
  for (const size_t limit : {10, 500, 5000}) {
    const PageTree page = CutTree(tree, limit, nullptr);
    EXPECT_LE(page.nodes.size(), 2 * limit + 100 * 20);  // at most 100 are wide, and have 20 functions each
    EXPECT_EQ(Totals(page, stacks.names_).at("").weight, sum);
    const PageTree callers = CallersTree(tree, limit);
    EXPECT_EQ(Totals(callers, stacks.names_).at("").weight, sum);
  }
}

TEST(CallersTreeTest, StartsFromFunctionsWithCosts) {
  Stacks stacks;
  stacks.Add({"main", "f", "leaf"}, 30);
  stacks.Add({"main", "g", "leaf"}, 20);
  stacks.Add({"main", "f"}, 5);
  const auto totals = Totals(CallersTree(stacks.Tree(), 100), stacks.names_);
  EXPECT_EQ(totals.at("/leaf").weight, 50U);
  EXPECT_EQ(totals.at("/leaf/f/main").weight, 30U);
  EXPECT_EQ(totals.at("/leaf/g/main").weight, 20U);
  EXPECT_EQ(totals.at("/f/main").weight, 5U);
  EXPECT_EQ(totals.count("/main"), 0U);
}

// A function that calls itself is not counted twice.
TEST(CallersTreeTest, CountsRecursionOnce) {
  Stacks stacks;
  stacks.Add({"main", "f", "f", "f"}, 7);
  const auto totals = Totals(CallersTree(stacks.Tree(), 100), stacks.names_);
  EXPECT_EQ(totals.at("").weight, 7U);
  EXPECT_EQ(totals.at("/f/f/f/main").weight, 7U);
}

// "f/x3" and so on: the marks of a page's tree.
std::vector<std::string> Marks(const PageTree& tree, const PageNames& names) {
  std::vector<std::string> marks;
  for (const PageTree::Node& node : tree.nodes) {
    if (node.recursion.calls == 1) continue;
    marks.push_back(names.frames()[static_cast<size_t>(node.frame)].name + " " +
                    analyze::RecursionText(node.recursion));
  }
  std::sort(marks.begin(), marks.end());
  return marks;
}

TEST(FoldedTreeTest, HasARecursionOnceWithItsDepth) {
  Stacks stacks;
  stacks.Add({"main", "f", "task", "f", "task", "f", "work"}, 10, 3);
  stacks.Add({"main", "f", "task", "f", "work"}, 5);
  stacks.Add({"main", "f", "<frames cut>", "f", "task"}, 1);
  const StackTree tree = stacks.Tree();
  const std::optional<StackTree> folded = tree.Folded(stacks.names_);
  ASSERT_TRUE(folded);
  const PageTree down = CutTree(*folded, 100, nullptr);
  const auto totals = Totals(down, stacks.names_);
  EXPECT_EQ(totals.at("").weight, 16U);
  EXPECT_EQ(totals.at("/main/f").weight, 16U);
  EXPECT_EQ(totals.at("/main/f/work").weight, 15U);
  EXPECT_EQ(totals.at("/main/f/work").wait, 3U);
  EXPECT_EQ(totals.at("/main/f/task").weight, 1U);
  EXPECT_EQ(totals.at("/main/f/<frames cut>").weight, 0U);
  EXPECT_EQ(Marks(down, stacks.names_), (std::vector<std::string>{"f x3", "task x2"}));

  const PageTree up = CallersTree(*folded, 100);
  EXPECT_EQ(Totals(up, stacks.names_).at("/work/f/main").weight, 15U);
  EXPECT_EQ(Marks(up, stacks.names_), (std::vector<std::string>{"f x3", "f x3", "task x2"}));

  for (const StackRow& row : tree.rows()) EXPECT_EQ(row.cost.samples, 1U);
  EXPECT_EQ(folded->rows().size(), 2U);
  const analyze::PathId path = stacks.view().samples[1].path;
  EXPECT_EQ(folded->frame(folded->node_of_path()[path]), tree.frame(tree.node_of_path()[path]));
}

TEST(FoldedTreeTest, IsThereOnlyWithRecursion) {
  Stacks stacks;
  stacks.Add({"main", "f"}, 30);
  stacks.Add({"main", "g", "f"}, 30);
  EXPECT_FALSE(stacks.Tree().Folded(stacks.names_));
}

TEST(FoldedTreeTest, InlinedCallsBelongToTheRecursion) {
  Stacks stacks;
  stacks.AddInlined("f", "f", 7);
  const std::optional<StackTree> folded = stacks.Tree().Folded(stacks.names_);
  ASSERT_TRUE(folded);
  EXPECT_EQ(folded->size(), 2U);
  EXPECT_FALSE(stacks.names_.frames()[folded->frame(1)].inlined);
  EXPECT_EQ(folded->recursion(1).calls, 2U);
}

TEST(StackTreeTest, TellsInlinedFromCalled) {
  Stacks stacks;
  stacks.AddInlined("outer", "inner", 3);
  stacks.Add({"outer", "inner"}, 4);
  const StackTree tree = stacks.Tree();
  ASSERT_EQ(tree.size(), 4U);  // the root, outer, and inner both ways
  int inlined = 0;
  for (uint32_t node = 1; node < tree.size(); ++node) inlined += stacks.names_.frames()[tree.frame(node)].inlined;
  EXPECT_EQ(inlined, 1);
}

TEST(StackTreeTest, PutsTwoRunsIntoOneTree) {
  Stacks before;
  before.Add({"main", "f"}, 10);
  Stacks after;
  after.Add({"main", "f"}, 4);
  after.Add({"main", "g"}, 1);
  StackTree tree;
  PageNames names;
  tree.Add(before.view(), before.symbolizer(), true, &names);
  tree.Add(after.view(), after.symbolizer(), false, &names);
  EXPECT_EQ(tree.size(), 4U);
  uint64_t sums[2] = {};
  for (const StackRow& row : tree.rows()) sums[row.before] += row.cost.weight;
  EXPECT_EQ(sums[true], 10U);
  EXPECT_EQ(sums[false], 5U);
}

}  // namespace
}  // namespace ompprof::report

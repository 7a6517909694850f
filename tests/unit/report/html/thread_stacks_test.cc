// The stacks of each thread: what is cut, and that no thread's sum is lost.
#include "profiler/report/html/thread_stacks.h"

#include <gtest/gtest.h>

#include <map>

#include "profiler/analyze/account/summary.h"
#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::report {
namespace {

// Two threads with a chain of 20 functions each, and a cost in every function.
struct Chains : test::MadeUpView {
  Chains() {
    for (const uint32_t id : {1U, 2U}) process().threads.emplace_back().id = id;
    std::vector<std::string> path;
    for (int depth = 0; depth < 20; ++depth) {
      path.push_back("f" + std::to_string(depth));
      for (const uint32_t thread : {1U, 2U}) {
        Add({.path = path, .weight = 100 * thread, .thread = thread});
      }
    }
    summary = analyze::Summarize(view);
    const ThreadRows rows(view, summary);
    tree.Add(view, model::Symbolizer(), false, &names, &rows);
    page = CutTree(tree, kPageNodes, &kept);
  }

  analyze::Summary summary;
  PageNames names;
  StackTree tree;
  PageTree page;
  std::vector<uint32_t> kept;
};

std::map<uint32_t, uint64_t> SumByThread(const std::vector<ThreadStackRow>& rows) {
  std::map<uint32_t, uint64_t> sums;
  for (const ThreadStackRow& row : rows) sums[row.thread] += row.cost.weight;
  return sums;
}

TEST(ThreadStacksTest, KeepsEachThreadsCosts) {
  const Chains run;
  const std::vector<ThreadStackRow> rows = ThreadStacks(run.tree, run.page, run.kept, 100);
  EXPECT_EQ(rows.size(), 40U);
  EXPECT_EQ(SumByThread(rows), (std::map<uint32_t, uint64_t>{{0, 2000}, {1, 4000}}));
}

TEST(ThreadStacksTest, MovesSmallCostsToCallers) {
  const Chains run;
  const std::vector<ThreadStackRow> rows = ThreadStacks(run.tree, run.page, run.kept, 12);
  EXPECT_LE(rows.size(), 12U);
  EXPECT_GT(rows.size(), 2U) << "no more than needed";
  EXPECT_EQ(SumByThread(rows), (std::map<uint32_t, uint64_t>{{0, 2000}, {1, 4000}}));
}

TEST(ThreadStacksTest, NothingWithoutThreads) {
  const Chains run;
  PageNames names;
  StackTree tree;
  tree.Add(run.view, model::Symbolizer(), false, &names);
  EXPECT_TRUE(ThreadStacks(tree, run.page, run.kept, 100).empty());
}

}  // namespace
}  // namespace ompprof::report

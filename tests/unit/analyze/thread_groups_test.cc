// Short-lived threads in groups: made-up threads with known lives.
#include "profiler/analyze/account/thread_groups.h"

#include <gtest/gtest.h>

#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::analyze {
namespace {

using test::kSecond;
using test::MadeUpRun;

// A process of 100 s with two threads that stay, and `count` workers that live for `each_ns` in pairs, pair after pair.
struct Pairs {
  MadeUpRun run{2, 100 * kSecond};

  Pairs(uint32_t count, uint64_t each_ns, uint64_t step_ns) {
    for (uint32_t i = 0; i < count; ++i) {
      ThreadFacts& thread = run.process().threads.emplace_back();
      thread.id = 3 + i;
      thread.name = "solver";
      thread.kind = ThreadKind::kWorker;
      thread.start_mono_ns = 1000 + i / 2 * step_ns;
      thread.lifetime_ns = each_ns;
      thread.cpu_ns = i;
      ViewSample sample{};
      sample.thread = thread.id;
      sample.state = OmptState::kWorkParallel;
      sample.cost.samples = 2;
      sample.cost.weight = 1000;
      run.view.samples.push_back(sample);
    }
  }

  std::vector<size_t> Sizes() const {
    std::vector<size_t> sizes;
    for (const ThreadGroup& group : GroupThreads(run.view, Summarize(run.view))) sizes.push_back(group.threads.size());
    return sizes;
  }
};

TEST(ThreadGroups, ShortLivedThreadsOfOneProcessAreARow) {
  const Pairs pairs(96, kSecond, 2 * kSecond);
  EXPECT_EQ(pairs.Sizes(), (std::vector<size_t>{1, 1, 96}));
  const Summary summary = Summarize(pairs.run.view);
  const ThreadCost sum = SumOf(summary, GroupThreads(pairs.run.view, summary)[2]);
  EXPECT_EQ(sum.id, 3u);
  EXPECT_EQ(sum.thread.cpu_ns, 95u * 96 / 2);
  EXPECT_EQ(sum.thread.lifetime_ns, 96 * kSecond);
  EXPECT_EQ(sum.cost.samples, 192u);
  EXPECT_EQ(sum.cost.weight, 96000u);
  EXPECT_EQ(sum.by_activity[static_cast<int>(Activity::kWork)].weight, 96000u);
}

TEST(ThreadGroups, FewThreadsHaveTheirOwnRows) {
  EXPECT_EQ(Pairs(16, kSecond, 2 * kSecond).Sizes(), std::vector<size_t>(18, 1));
  EXPECT_EQ(Pairs(17, kSecond, 2 * kSecond).Sizes(), (std::vector<size_t>{1, 1, 16 + 1}));
}

TEST(ThreadGroups, ThreadsSideBySideHaveTheirOwnRows) {
  EXPECT_EQ(Pairs(40, 20 * kSecond, 0).Sizes(), std::vector<size_t>(42, 1)) << "a large team";
}

TEST(ThreadGroups, LongLivedThreadsHaveTheirOwnRows) {
  EXPECT_EQ(Pairs(96, 26 * kSecond, 27 * kSecond).Sizes(), std::vector<size_t>(98, 1));
}

TEST(ThreadGroups, ProcessesAndKindsAreApart) {
  Pairs pairs(40, kSecond, 2 * kSecond);
  pairs.run.process().threads[5].kind = ThreadKind::kUnknown;
  EXPECT_EQ(pairs.Sizes(), (std::vector<size_t>{1, 1, 39, 1}));
  pairs.run.view.run.processes.push_back(pairs.run.process());
  EXPECT_EQ(pairs.Sizes(), (std::vector<size_t>{1, 1, 39, 1, 1, 1, 39, 1}));
}

}  // namespace
}  // namespace ompprof::analyze

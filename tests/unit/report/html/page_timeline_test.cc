// The timeline on the page: what is drawn, what is only in the stacks, and that no sum is lost in a large timeline.
#include "profiler/report/html/page_timeline.h"

#include <gtest/gtest.h>

#include "profiler/analyze/account/summary.h"
#include "proto/ompt_state.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::report {
namespace {

using test::MadeUpRun;

constexpr uint64_t kMs = 1000000;
constexpr OmptState kWork = OmptState::kWorkParallel;
constexpr OmptState kBarrier = OmptState::kWaitBarrierImplicitParallel;

class PageTimelineTest : public ::testing::Test {
 protected:
  uint32_t AddSample(uint32_t thread, OmptState state, bool interval) {
    analyze::ViewSample sample{};
    sample.thread = thread;
    sample.state = state;
    sample.interval = interval;
    sample.cost.samples = interval ? 0 : 1;
    run_.view.samples.push_back(sample);
    return static_cast<uint32_t>(run_.view.samples.size() - 1);
  }

  PageTimeline Build(size_t limit) {
    const ThreadRows rows(run_.view, analyze::Summarize(run_.view));
    return BuildPageTimeline(
        run_.view, rows, [](analyze::PathId path) { return path + 7; }, limit);
  }

  MadeUpRun run_{2, 100 * kMs};
};

TEST_F(PageTimelineTest, IsEmptyWithoutTimes) { EXPECT_TRUE(Build(10).stretches.empty()); }

// Samples of a thread that spins in a wait are not drawn. The wait is drawn. The samples' CPU time is not lost.
TEST_F(PageTimelineTest, DrawsAWaitOnce) {
  const uint32_t work = AddSample(2, kWork, false);
  const uint32_t spin = AddSample(2, kBarrier, false);
  const uint32_t wait = AddSample(2, kBarrier, true);
  run_.view.timed = {{work, 5 * kMs, 5 * kMs}, {spin, 20 * kMs, 3 * kMs}, {wait, 30 * kMs, 15 * kMs}};
  const PageTimeline timeline = Build(10);
  ASSERT_EQ(timeline.stretches.size(), 3U);
  EXPECT_EQ(timeline.duration_ns, 100 * kMs);
  uint64_t busy = 0;
  uint64_t weight = 0;
  uint64_t waited = 0;
  for (const PageStretch& stretch : timeline.stretches) {
    EXPECT_EQ(stretch.row, 1U);
    EXPECT_EQ(stretch.node, 7U);
    busy += stretch.busy_ns;
    weight += stretch.weight;
    waited += stretch.wait_ns;
  }
  EXPECT_EQ(busy, 20 * kMs);
  EXPECT_EQ(weight, 8 * kMs);
  EXPECT_EQ(waited, 15 * kMs);
  EXPECT_EQ(timeline.stretches[0].begin_ns, 0U);
  EXPECT_EQ(timeline.stretches[0].end_ns, 5 * kMs);
  EXPECT_EQ(timeline.stretches[1].begin_ns, 15 * kMs);
  EXPECT_EQ(timeline.stretches[1].wait_ns, 15 * kMs);
}

TEST_F(PageTimelineTest, KeepsSumsWhenItPutsTogether) {
  const uint32_t samples[] = {AddSample(1, kWork, false), AddSample(1, kBarrier, false)};
  constexpr uint32_t kCount = 20000;
  for (uint32_t i = 1; i <= kCount; ++i) run_.view.timed.push_back({samples[i % 3 == 0], uint64_t{i} * 100000, 100000});
  const PageTimeline whole = Build(kCount);
  EXPECT_EQ(whole.resolution_ns, 0U);
  EXPECT_EQ(whole.stretches.size(), size_t{kCount});
  const PageTimeline cut = Build(1000);
  EXPECT_LE(cut.stretches.size(), 1000U);
  EXPECT_GT(cut.resolution_ns, 0U);
  uint64_t weight[2] = {};
  uint64_t busy[2] = {};
  for (const PageStretch& stretch : cut.stretches) {
    weight[stretch.state == kBarrier] += stretch.weight;
    busy[stretch.state == kBarrier] += stretch.busy_ns;
    EXPECT_LE(stretch.begin_ns, stretch.end_ns);
  }
  EXPECT_EQ(weight[true], uint64_t{kCount / 3} * 100000);
  EXPECT_EQ(weight[false], uint64_t{kCount - kCount / 3} * 100000);
  EXPECT_EQ(busy[true], weight[true]);
  EXPECT_EQ(busy[false], weight[false]);
}

}  // namespace
}  // namespace ompprof::report

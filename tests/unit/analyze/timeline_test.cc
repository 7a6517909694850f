// The times of samples and of the ends of waits: through reading, merging, several processes and filters; and as
// stretches.
#include "profiler/analyze/account/timeline.h"

#include <gtest/gtest.h>

#include <tuple>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/builder/build_view.h"
#include "profiler/analyze/view/call_tree.h"
#include "proto/ompt_state.h"
#include "tests/unit/analyze/team.h"

namespace ompprof::analyze {
namespace {

using test::Team;

constexpr uint64_t kMs = 1000000;
constexpr OmptState kBarrier = OmptState::kWaitBarrierImplicitParallel;

// Function of the sample's leaf, thread, end in ms, weight in ms.
using Entry = std::tuple<std::string, uint32_t, double, double>;

std::string LeafName(const View& view, uint32_t sample) {
  const PathId path = view.samples[sample].path;
  if (path == kEmptyPath) return "";
  const Location& location = view.frames.location(view.paths.node(path).location);
  return view.frames.function(view.frames.line(location.first_line).function).name;
}

std::vector<Entry> Entries(const View& view) {
  std::vector<Entry> entries;
  for (const TimedSample& timed : view.timed) {
    entries.emplace_back(LeafName(view, timed.sample), view.samples[timed.sample].thread,
                         static_cast<double>(timed.time_ns) / kMs, static_cast<double>(timed.weight) / kMs);
  }
  return entries;
}

class TimelineTest : public ::testing::Test {
 protected:
  TimelineTest() {
    const uint32_t main = team_.Frames(1, team_.Root(1), {"in_main"});
    compute_ = team_.Frames(1, main, {"in_compute"});
    leaf_ = team_.Frames(1, main, {"in_leaf"});
  }

  void Sample(uint32_t node, uint32_t thread, uint64_t end_ms, uint64_t weight_ms = 1) {
    team_.builder.AddSample({.node = node,
                             .thread = thread,
                             .state = OmptState::kWorkParallel,
                             .weight = weight_ms * kMs,
                             .end_us = end_ms * 1000});
  }
  void Wait(uint32_t thread, OmptState state, uint64_t begin_ms, uint64_t end_ms) {
    team_.builder.AddSample({.node = 0,
                             .thread = thread,
                             .state = state,
                             .samples = 0,
                             .weight = 0,
                             .end_us = end_ms * 1000,
                             .interval_ns = (end_ms - begin_ms) * kMs});
  }

  Team team_;
  uint32_t compute_;
  uint32_t leaf_;
};

// Rows of one place are one row in the profile and one sample in the view. Their times stay separate, and each finds
// that sample.
TEST_F(TimelineTest, TimesFindTheirSamplesAfterMerging) {
  Sample(leaf_, 2, 3);
  Sample(compute_, 1, 5);
  Sample(leaf_, 1, 4);
  Sample(compute_, 1, 2, 2);
  Wait(2, OmptState::kIdle, 4, 9);
  team_.Build();
  ASSERT_EQ(team_.view.samples.size(), 4u);
  EXPECT_EQ(
      Entries(team_.view),
      (std::vector<Entry>{
          {"compute", 1, 2, 2}, {"leaf", 1, 4, 1}, {"compute", 1, 5, 1}, {"leaf", 2, 3, 1}, {"<omp idle>", 2, 9, 5}}));
  EXPECT_TRUE(team_.view.samples[team_.view.timed.back().sample].interval);
  EXPECT_EQ(team_.view.total_samples, 4u);
  EXPECT_EQ(team_.view.total_weight, 5 * kMs);
}

// A thread that spins in a barrier has samples there and the stretch. Both stay: the stretch is no sample.
TEST_F(TimelineTest, AStretchIsNotMergedWithSamples) {
  team_.builder.AddSample({.node = 0, .thread = 1, .state = kBarrier, .weight = kMs, .end_us = 5000});
  Wait(1, kBarrier, 1, 9);
  team_.Build();
  ASSERT_EQ(team_.view.samples.size(), 2u);
  EXPECT_NE(team_.view.samples[0].interval, team_.view.samples[1].interval);
  const Summary summary = Summarize(team_.view);
  EXPECT_EQ(summary.states.size(), 1u);
  EXPECT_EQ(summary.states[0].cost.weight, kMs);
}

TEST_F(TimelineTest, FiltersKeepTimesWithTheirSamples) {
  Sample(leaf_, 1, 1);
  Sample(compute_, 1, 2);
  Sample(leaf_, 1, 3);
  Wait(1, OmptState::kIdle, 3, 9);
  team_.Build();
  const NamePattern leaf = *NamePattern::Of("^leaf$");
  FilterSamples(nullptr, &leaf, &team_.view);
  EXPECT_EQ(Entries(team_.view), (std::vector<Entry>{{"compute", 1, 2, 1}, {"<omp idle>", 1, 9, 6}}));
  FilterSamples(&leaf, nullptr, &team_.view);
  EXPECT_TRUE(Entries(team_.view).empty());
}

TEST_F(TimelineTest, SeveralProcessesHaveOneTime) {
  Sample(leaf_, 1, 1);
  team_.Build();
  model::ProcessProfile later = team_.read.profile;
  later.header.set_start_unix_ns(team_.read.profile.header.start_unix_ns() + 7 * static_cast<int64_t>(kMs));
  model::Symbolizer symbolizer;
  const View view = BuildView({&later, &team_.read.profile}, ViewKind::kUser, &symbolizer);
  EXPECT_EQ(Entries(view), (std::vector<Entry>{{"leaf", 1, 8, 1}, {"leaf", 1, 1, 1}}));
}

using Spans = std::vector<std::tuple<std::string, double, double>>;

Spans SpansOf(const View& view, const ThreadTimeline& timeline) {
  Spans spans;
  for (const Stretch& stretch : timeline.stretches)
    spans.emplace_back(LeafName(view, stretch.sample), static_cast<double>(stretch.begin_ns) / kMs,
                       static_cast<double>(stretch.end_ns) / kMs);
  return spans;
}

TEST_F(TimelineTest, Stretches) {
  Sample(leaf_, 1, 20, 10);
  Sample(leaf_, 1, 29, 10);     // overlaps the one before it by 1 ms
  Sample(compute_, 1, 60, 10);  // 50 to 60, after a gap
  Sample(compute_, 1, 75, 10);  // spins in the wait
  Wait(1, OmptState::kIdle, 65, 80);
  Sample(leaf_, 1, 85, 10);  // 5 of its 10 ms were before the wait
  Sample(leaf_, 2, 10, 10);
  team_.Build();
  const std::vector<ThreadTimeline> timelines = Timelines(team_.view);
  ASSERT_EQ(timelines.size(), 2u);
  EXPECT_EQ(SpansOf(team_.view, timelines[0]),
            (Spans{{"leaf", 10, 20}, {"leaf", 20, 29}, {"compute", 50, 60}, {"<omp idle>", 65, 80}, {"leaf", 80, 85}}));
  EXPECT_EQ(timelines[1].thread, 2u);
  EXPECT_EQ(SpansOf(team_.view, timelines[1]), (Spans{{"leaf", 0, 10}}));
}

// A timer of 5 ms on a kernel with ticks of 4 ms fires 3 to 8 ms after the time before. Code that ran on has no gaps.
TEST_F(TimelineTest, GapsShorterThanAPeriodAreClosed) {
  Sample(leaf_, 1, 8, 5);
  Sample(leaf_, 1, 16, 5);
  Sample(leaf_, 1, 40, 5);
  team_.Build();
  team_.view.run.processes[0].sampling.period = 5 * kMs;
  team_.view.run.processes[0].sampling.tick_ns = 4 * kMs;
  EXPECT_EQ(SpansOf(team_.view, Timelines(team_.view)[0]), (Spans{{"leaf", 0, 8}, {"leaf", 8, 16}, {"leaf", 35, 40}}));
}

}  // namespace
}  // namespace ompprof::analyze

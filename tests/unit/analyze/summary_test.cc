// Totals: each sample counts once in each table, whatever its path.
#include "profiler/analyze/account/summary.h"

#include <gtest/gtest.h>

#include "proto/ompt_state.h"
#include "tests/unit/analyze/team.h"

namespace ompprof::analyze {
namespace {

using test::Team;

const FunctionCost& CostOf(const Team& team, const std::vector<FunctionCost>& costs, const std::string& name) {
  for (const FunctionCost& cost : costs) {
    if (team.view.frames.function(cost.function).name == name) return cost;
  }
  static const FunctionCost kNone = {};
  ADD_FAILURE() << name << " is not there";
  return kNone;
}

TEST(Summary, RecursionCountsOnceInATotal) {
  Team team;
  const uint32_t outer = team.Frames(1, team.Root(1), {"in_main", "in_compute"});
  const uint32_t inner = team.Frames(1, outer, {"in_leaf", "in_compute", "in_compute"});
  team.builder.AddSample({.node = inner, .samples = 3, .weight = 300});
  team.builder.AddSample({.node = outer, .samples = 1, .weight = 100});
  team.Build();
  const auto costs = FunctionCosts(BuildCallTree(team.view, false));
  EXPECT_EQ(CostOf(team, costs, "compute").total.weight, 400u);
  EXPECT_EQ(CostOf(team, costs, "compute").self.weight, 400u);
  EXPECT_EQ(CostOf(team, costs, "leaf").total.weight, 300u);
  EXPECT_EQ(CostOf(team, costs, "leaf").self.weight, 0u);
  EXPECT_EQ(CostOf(team, costs, "main").total.samples, 4u);
}

TEST(Summary, LinesAreToldApartWhereAsked) {
  Team team;
  const uint32_t root = team.Root(1);
  team.builder.AddSample({.node = team.Frames(1, root, {"in_main"}), .weight = 10});
  team.builder.AddSample({.node = team.Frames(1, root, {"main_fork"}), .weight = 20});
  team.Build();
  EXPECT_EQ(FunctionCosts(BuildCallTree(team.view, false)).size(), 1u);
  const auto lines = FunctionCosts(BuildCallTree(team.view, true));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].line, 42u);
  EXPECT_EQ(lines[1].line, 48u);
}

TEST(Summary, StatesThreadsAndLosses) {
  Team team;
  team.builder.AddThread(1, Thread::INITIAL, 5000);
  team.builder.AddThread(2, Thread::WORKER, 7000);
  const uint32_t node = team.Frames(1, team.Root(1), {"in_main"});
  team.builder.AddSample({.node = node, .thread = 1, .state = OmptState::kWorkSerial, .samples = 2, .weight = 200});
  team.builder.AddSample({.node = node, .thread = 2, .state = OmptState::kWorkParallel, .samples = 3, .weight = 300});
  team.builder.AddSample(
      {.node = node, .thread = 2, .state = OmptState::kWaitBarrierImplicit, .samples = 4, .weight = 400});
  team.builder.AddSample({.node = node, .thread = 2, .state = OmptState::kNone, .samples = 1, .weight = 50});
  Record record;
  record.mutable_lost()->add_reason(LOST_BUSY);
  record.mutable_lost()->add_samples(9);
  record.mutable_lost()->add_weight(900);
  record.mutable_lost()->add_reason(LOST_NO_TIMER);
  record.mutable_lost()->add_samples(1);
  team.builder.Append(record);
  team.builder.AddFooter(10, 12000);
  team.Build();
  const Summary summary = Summarize(team.view);
  ASSERT_EQ(summary.states.size(), 4u);
  EXPECT_EQ(summary.states[0].name, "ompt_state_wait_barrier_implicit");
  EXPECT_EQ(summary.states[0].cost.weight, 400u);
  EXPECT_EQ(summary.states[3].name, "no_ompt_state");
  ASSERT_EQ(summary.threads.size(), 2u);
  EXPECT_EQ(summary.threads[1].cost.samples, 8u);
  EXPECT_EQ(summary.threads[1].by_activity[static_cast<int>(Activity::kWait)].weight, 400u);
  EXPECT_EQ(summary.lost_samples, 9u);
  EXPECT_EQ(summary.lost_weight, 900u);
  EXPECT_EQ(summary.losses.size(), 2u);
  EXPECT_EQ(summary.cpu_ns, 12000u);
  EXPECT_TRUE(summary.complete);
}

TEST(Summary, NestedRegionsCountInThoseAroundThem) {
  Team team;
  const uint32_t main = team.Frames(1, team.Root(1), {"in_main"});
  team.builder.AddContext(1, team.At("main_fork"), 1, main);
  team.builder.AddContext(2, team.At("nested_fork"), 1, main, 0, 1);
  team.builder.AddSample({.node = main, .state = OmptState::kWorkParallel, .region = 1, .weight = 100});
  team.builder.AddSample({.node = main, .state = OmptState::kWorkParallel, .region = 2, .weight = 50});
  team.Build();
  ASSERT_EQ(team.view.regions.size(), 2u);
  EXPECT_EQ(team.view.regions[0].weight, 150u);
  EXPECT_EQ(team.view.regions[1].weight, 50u);
}

TEST(Filter, FocusAndIgnore) {
  Team team;
  const uint32_t main = team.Frames(1, team.Root(1), {"in_main"});
  team.builder.AddSample({.node = main, .weight = 1});
  team.builder.AddSample({.node = team.Frames(1, main, {"in_leaf"}), .weight = 2});
  team.builder.AddSample({.node = team.Frames(1, main, {"in_compute", "in_leaf"}), .weight = 4});
  team.Build();
  const NamePattern leaf = *NamePattern::Of("^leaf$");
  const NamePattern compute = *NamePattern::Of("comp");
  FilterSamples(&leaf, &compute, &team.view);
  ASSERT_EQ(team.view.samples.size(), 1u);
  EXPECT_EQ(team.view.samples[0].cost.weight, 2u);
  EXPECT_EQ(team.view.total_weight, 7u);
}

}  // namespace
}  // namespace ompprof::analyze

// Estimates: variances add up from the file to each sum, and exact sums stay exact.
#include "profiler/analyze/view/estimate.h"

#include <gtest/gtest.h>

#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/account/locks.h"
#include "profiler/analyze/account/state_times.h"
#include "profiler/analyze/view/call_tree.h"
#include "proto/ompt_state.h"
#include "tests/unit/analyze/team.h"

namespace ompprof::analyze {
namespace {

using test::Team;

constexpr OmptState kTaskwait = OmptState::kWaitTaskwait;
constexpr OmptState kCritical = OmptState::kWaitCritical;

TEST(Estimate, ErrorsAddInQuadrature) {
  Estimate sum;
  EXPECT_FALSE(sum.any());
  EXPECT_EQ(sum.ci95_ns(), 0u);
  sum.Add({1000, 9});   // 3 us
  sum.Add({2000, 16});  // 4 us
  EXPECT_TRUE(sum.any());
  EXPECT_EQ(sum.ns, 3000u);
  EXPECT_EQ(sum.ci95_ns(), 9800u);  // 1.96 x 5 us
}

// Two threads in the region of team.c:42. Some of their waits for tasks are estimated; a barrier and a critical are
// exact.
class EstimatedRun : public ::testing::Test {
 protected:
  EstimatedRun() {
    Record runtime;
    runtime.mutable_runtime()->set_version("test");
    team_.builder.Append(runtime);
    team_.builder.AddThread(1, Thread::INITIAL, 1000);
    team_.builder.AddThread(2, Thread::WORKER, 1000);
    const uint32_t main = team_.Frames(1, team_.Root(1), {"in_main"});
    team_.builder.AddContext(1, team_.At("main_fork"), 1, main);
    Record stats;
    stats.mutable_region_stats()->set_thread(1);
    stats.mutable_region_stats()->set_codeptr_ra(team_.At("main_fork"));
    stats.mutable_region_stats()->set_invocations(7);
    stats.mutable_region_stats()->set_ended(7);
    stats.mutable_region_stats()->set_estimated(5);
    team_.builder.Append(stats);
    Wait(1, kTaskwait, 0, 10000, 6000, 9);
    Wait(2, kTaskwait, 0, 20000, 20000, 16);
    Wait(2, OmptState::kWaitBarrierExplicit, 0, 5000, 0, 0);
    Wait(1, kCritical, 77, 3000, 1000, 4);
    Wait(2, kCritical, 77, 3000, 0, 0, team_.At("in_leaf"));
    builder_main_ = main;
  }

  void Wait(uint32_t thread, OmptState state, uint64_t wait_id, uint64_t total, uint64_t estimated, uint64_t variance,
            uint64_t acquired_at = 0) {
    Record record;
    WaitStats* wait = record.mutable_wait_stats();
    wait->set_thread(thread);
    wait->set_state(StateToWire(state));
    wait->set_codeptr_ra(team_.At("task_create"));
    wait->set_region_codeptr_ra(team_.At("main_fork"));
    wait->set_wait_id(wait_id);
    wait->set_acquired_at(acquired_at);
    wait->set_count(3);
    wait->set_total_ns(total);
    wait->set_estimated_ns(estimated);
    wait->set_estimated_variance(variance);
    team_.builder.Append(record);
  }

  Team team_;
  uint32_t builder_main_;
};

TEST_F(EstimatedRun, Waits) {
  team_.Build();
  ASSERT_EQ(team_.view.waits.size(), 5u);
  EXPECT_EQ(team_.view.waits[0].estimate.ns, 6000u);
  EXPECT_EQ(team_.view.waits[0].estimate.ci95_ns(), 5880u);
  EXPECT_FALSE(team_.view.waits[2].estimate.any());
}

TEST_F(EstimatedRun, Regions) {
  team_.Build();
  ASSERT_EQ(team_.view.regions.size(), 1u);
  const Region& region = team_.view.regions[0];
  EXPECT_EQ(region.estimated, 5u);
  EXPECT_TRUE(region.is_estimated());
  EXPECT_EQ(region.task_wait_ns, 30000u);
  EXPECT_EQ(region.task_wait_estimate.ci95_ns(), 9800u);
  EXPECT_FALSE(region.barrier_wait_estimate.any());
  EXPECT_EQ(region.lock_wait_estimate.ns, 1000u);
  EXPECT_EQ(region.wait_estimate().variance, 29);
}

TEST_F(EstimatedRun, StatesAndEfficiency) {
  team_.Build();
  const StateTimes times = MeasureStates(team_.view);
  ASSERT_EQ(times.names[0], "ompt_state_wait_taskwait");
  EXPECT_EQ(times.all[0].wait_ns, 30000u);
  EXPECT_EQ(times.all[0].estimate.ci95_ns(), 9800u);
  for (size_t i = 0; i < times.names.size(); ++i)
    EXPECT_EQ(times.all[i].estimate.any(), times.names[i] != "ompt_state_wait_barrier_explicit") << times.names[i];
  EXPECT_EQ(MeasureEfficiency(team_.view, {}).wait_estimate.variance, 29);
}

TEST_F(EstimatedRun, LocksAndTheirPlaces) {
  team_.Build();
  const Locks locks = BuildLocks(&team_.view, &team_.symbolizer);
  ASSERT_EQ(locks.locks.size(), 1u);
  EXPECT_EQ(locks.locks[0].wait_ns, 3000u);
  EXPECT_EQ(locks.locks[0].estimate.ci95_ns(), 3920u);
  ASSERT_EQ(locks.locks[0].waiting.size(), 1u);
  EXPECT_TRUE(locks.locks[0].waiting[0].estimate.any());
  ASSERT_EQ(locks.locks[0].blamed.size(), 1u);
  EXPECT_FALSE(locks.locks[0].blamed[0].estimate.any()) << "what the holder is charged with is exact here";
}

// Rows of one place add up in the reader, rows of one function in the call tree.
TEST_F(EstimatedRun, BlameOfFunctions) {
  const uint32_t leaf = team_.Frames(1, builder_main_, {"in_compute"});
  for (const uint64_t variance : {9, 16}) {
    Record record;
    SampleBatch* batch = record.mutable_samples();
    batch->set_tree(1);
    batch->set_thread(1);
    // One row for its work, and one for its waits.
    for (const bool waits : {false, true}) {
      batch->add_node(leaf);
      batch->add_state(StateToWire(waits ? kTaskwait : OmptState::kWorkParallel));
      batch->add_samples(waits ? 0 : 1);
      batch->add_weight(waits ? 0 : 1000);
      batch->add_blame(waits ? 0 : 4000);
      batch->add_blame_variance(waits ? 0 : variance);
      batch->add_lock_blame(waits ? 0 : 500);
      batch->add_lock_blame_variance(waits ? 0 : 1);
      batch->add_wait(waits ? 100 : 0);
      batch->add_wait_variance(waits ? 2 : 0);
    }
    team_.builder.Append(record);
  }
  team_.Build();
  const std::vector<FunctionCost> costs = FunctionCosts(BuildCallTree(team_.view, false));
  ASSERT_EQ(costs.size(), 4u) << "main, its callee, the taskwait in it, and the waits without a call path";
  EXPECT_EQ(costs[0].self.blame, 8000u);
  EXPECT_EQ(costs[0].self.blame_variance, 25);
  EXPECT_EQ(costs[0].self.blame_estimate().variance, 27);
  EXPECT_EQ(costs[0].total.wait_estimate().ci95_ns(), 3920u);
  EXPECT_EQ(costs[1].total.blame_estimate().variance, 27) << "main's, with what it calls";
  EXPECT_FALSE(costs[1].self.blame_estimate().any());
}

}  // namespace
}  // namespace ompprof::analyze

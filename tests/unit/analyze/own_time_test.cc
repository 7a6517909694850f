// The profiler's own time: which samples have it, and that no figure of the program has it.
#include <gtest/gtest.h>

#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/account/state_times.h"
#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/advice/advice.h"
#include "profiler/analyze/view/omp_state.h"
#include "profiler/analyze/view/state_kind.h"
#include "proto/ompt_state.h"
#include "tests/unit/analyze/team.h"

namespace ompprof::analyze {
namespace {

using test::Strings;
using test::Team;

constexpr uint64_t kCollector = 0x7f2000001000;
constexpr uint64_t kShim = 0x7f3000001000;
constexpr uint64_t kGomp = 0x7f4000001000;
constexpr uint64_t kLibc = 0x7f5000001000;
constexpr char kRegion[] = "main;main [omp parallel team.c:42]";
constexpr uint32_t kRuntimeFrame = NODE_FRAME | NODE_RUNTIME;

// The objects of a process with the shim. Tree 1 belongs to the initial thread: main, where region context 1 was
// created. Tree 2 belongs to a worker, in the region's implicit task.
class OwnTimeTest : public ::testing::Test {
 protected:
  explicit OwnTimeTest(bool marked = true, const std::string& collector = "/opt/renamed.so") {
    Module(2, collector, kCollector, false, marked);
    Module(3, "/opt/lib/libgomp_ompt.so", kShim, true, marked);
    Module(4, "/usr/lib/libgomp.so.1", kGomp, true, false);
    Module(5, "/usr/lib/libc.so.6", kLibc, false, false);
    main_ = team_.Frames(1, team_.Root(1), {"in_main"});
    team_.builder.AddContext(1, team_.At("main_fork"), 1, main_);
    worker_ = team_.Frames(2, team_.Root(2), {"~in_runtime"});
    const uint32_t task = team_.builder.AddNode(2, worker_, NODE_IMPLICIT_TASK, team_.At("main_fork"));
    body_ = team_.Frames(2, task, {"in_region"});
  }

  void Module(uint32_t id, const std::string& path, uint64_t at, bool runtime, bool own) {
    team_.builder.AddModule(id, path, at - 0x1000, 0x10000, runtime, "", own);
  }

  // Adds frames at `addresses` below `parent` in tree 2. Returns the id of the last frame.
  uint32_t Under(uint32_t parent, const std::vector<uint64_t>& addresses, uint32_t kind = kRuntimeFrame) {
    for (const uint64_t address : addresses) parent = team_.builder.AddNode(2, parent, kind, address);
    return parent;
  }

  void Sample(uint32_t node, OmptState state = OmptState::kWorkParallel, uint64_t weight = 1000) {
    team_.builder.AddSample(
        {.tree = 2, .node = node, .thread = 2, .state = state, .splice = 1, .region = 1, .weight = weight});
  }

  std::string Own() const { return std::string(kRegion) + ";<ompprof>"; }

  Team team_;
  uint32_t main_;
  uint32_t worker_;
  uint32_t body_;
};

TEST_F(OwnTimeTest, CallbackOfTheCollector) {
  Sample(Under(body_, {kGomp, kCollector, kCollector + 8}));
  EXPECT_EQ(team_.Paths(), Strings{Own()});
  ASSERT_EQ(team_.view.samples.size(), 1u);
  EXPECT_TRUE(team_.view.samples[0].own);
  EXPECT_EQ(StateName(team_.view.run.first(), team_.view.samples[0].state), "ompprof");
  EXPECT_EQ(team_.view.own_weight, 1000u);
}

TEST_F(OwnTimeTest, WhatItCallsOfTheCLibrary) {
  Sample(Under(body_, {kGomp, kCollector, kLibc, kLibc + 16}));
  EXPECT_EQ(team_.Paths(), Strings{Own()});
}

TEST_F(OwnTimeTest, TheCLibraryUnderTheProgramIsThePrograms) {
  Sample(Under(body_, {kLibc}, NODE_FRAME));
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";libc.so.6+0x1000"});
  EXPECT_EQ(team_.view.own_weight, 0u);
}

TEST_F(OwnTimeTest, TheShimItself) {
  Sample(Under(body_, {kShim}));
  EXPECT_EQ(team_.Paths(), Strings{Own()});
}

TEST_F(OwnTimeTest, WhatTheShimHasCalledIsTheRuntimes) {
  Sample(Under(body_, {kShim, kGomp, kLibc}));
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";<omp overhead>"});
  EXPECT_EQ(team_.view.own_weight, 0u);
}

// The trampoline lies between the runtime and the task.
TEST_F(OwnTimeTest, ATaskThatTheShimCallsIsTheUsers) {
  const uint32_t trampoline = Under(body_, {kShim, kGomp, kShim});
  const uint32_t task = team_.builder.AddNode(2, trampoline, NODE_EXPLICIT_TASK, team_.At("task_create"));
  Sample(team_.Frames(2, task, {"in_task", "in_leaf"}));
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";main [omp task team.c:45];leaf"});
}

// The task has begun, and first calls the collector. The collector's frame is not the task's, and does not name it.
TEST_F(OwnTimeTest, ACallbackBetweenATaskAndItsBody) {
  const uint32_t trampoline = Under(body_, {kGomp, kShim});
  const uint32_t task = team_.builder.AddNode(2, trampoline, NODE_EXPLICIT_TASK, team_.At("task_create"));
  Sample(Under(task, {kCollector, kCollector + 8}, NODE_FRAME));
  EXPECT_EQ(team_.Paths(), Strings{std::string(kRegion) + ";main [omp task team.c:45];<ompprof>"});
}

// A runtime that has not started the tool yet is unknown to the collector: all frames are the user's.
TEST_F(OwnTimeTest, FramesThatWereTakenForTheUsersAreLeftOut) {
  const uint32_t wrapper = Under(main_, {}, NODE_FRAME);
  const uint32_t in_shim = team_.builder.AddNode(1, wrapper, NODE_FRAME, kShim);
  const uint32_t leaf = team_.Frames(1, in_shim, {"in_compute"});
  team_.builder.AddSample({.tree = 1, .node = leaf, .state = OmptState::kWorkSerial});
  team_.builder.AddSample({.tree = 1, .node = in_shim, .state = OmptState::kWorkSerial});
  EXPECT_EQ(team_.Paths(), (Strings{"main;<ompprof>", "main;compute"}));
}

TEST_F(OwnTimeTest, IdleAndBarrier) {
  Sample(Under(worker_, {kCollector}), OmptState::kIdle);
  Sample(Under(worker_, {kCollector}), OmptState::kWaitBarrierImplicit);
  EXPECT_EQ(team_.Paths(), (Strings{"<ompprof>", Own()}));
}

// A row that carries a wait or blame, at a stack that was taken in the collector.
TEST_F(OwnTimeTest, WaitsAndBlameAreTheProgramsAllTheSame) {
  const uint32_t node = Under(body_, {kGomp, kCollector});
  Record record;
  SampleBatch* batch = record.mutable_samples();
  batch->set_tree(2);
  batch->set_thread(2);
  for (const uint64_t samples : {1, 0}) {
    batch->add_node(samples == 1 ? node : worker_);
    batch->add_state(StateToWire(OmptState::kWorkParallel));
    batch->add_splice(1);
    batch->add_region(1);
    batch->add_samples(static_cast<uint32_t>(samples));
    batch->add_weight(samples * 1000);
    batch->add_wait(0);
    batch->add_blame(samples * 70);
  }
  team_.builder.Append(record);
  team_.Build();
  uint64_t own = 0;
  uint64_t blamed_elsewhere = 0;
  for (const ViewSample& sample : team_.view.samples) {
    if (sample.own)
      own += sample.cost.weight + sample.cost.blame;
    else
      blamed_elsewhere += sample.cost.blame;
  }
  EXPECT_EQ(own, 1000u);
  EXPECT_EQ(blamed_elsewhere, 70u);
  EXPECT_EQ(team_.view.total_blame, 70u);
  EXPECT_EQ(team_.view.total_weight, 1000u);
}

TEST_F(OwnTimeTest, MachineViewIsTheStackAsItWas) {
  Sample(Under(body_, {kGomp, kCollector}));
  EXPECT_EQ(team_.Paths(ViewKind::kMachine),
            Strings{"runtime;main.omp_outlined;libgomp.so.1+0x1000;renamed.so+0x1000"});
  EXPECT_EQ(team_.view.samples[0].state, OmptState::kWorkParallel);
  EXPECT_EQ(team_.view.own_weight, 1000u);
}

TEST_F(OwnTimeTest, StatesAndActivities) {
  Sample(Under(body_, {kGomp, kCollector}), OmptState::kWorkParallel, 1000);
  Sample(team_.Frames(2, body_, {"in_compute"}), OmptState::kWorkParallel, 3000);
  team_.Build();
  const StateTimes times = MeasureStates(team_.view);
  ASSERT_EQ(times.names, (Strings{"ompt_state_work_parallel", "ompprof"}));
  EXPECT_EQ(times.all[0].weight, 3000u);
  EXPECT_EQ(times.all[1].weight, 1000u);
  EXPECT_EQ(ActivityOf(kStateOwn), Activity::kOwn);
}

// 10 us in the region: 4 in the collector, of which 1 in a state of waiting, 2 in libgomp, 4 in the program. By its
// events the region's useful time is 8 us.
TEST_F(OwnTimeTest, NeitherUsefulNorOverhead) {
  Record record;
  record.mutable_runtime()->set_version("libgomp_ompt 1.0 over GCC libgomp");
  team_.builder.Append(record);
  RegionStats* stats = record.mutable_region_stats();
  stats->set_thread(1);
  stats->set_codeptr_ra(team_.At("main_fork"));
  stats->set_invocations(1);
  stats->set_ended(1);
  stats->set_elapsed_ns(10000);
  stats->set_team_ns(20000);
  stats->set_actual_max(2);
  stats->set_useful_ns(8000);
  stats->set_useful_max_ns(6000);
  stats->set_useful_min_ns(2000);
  team_.builder.Append(record);
  Sample(Under(body_, {kGomp, kCollector}), OmptState::kWorkParallel, 3000);
  Sample(Under(body_, {kGomp, kCollector + 32}), OmptState::kWaitBarrierExplicit, 1000);
  Sample(Under(body_, {kGomp + 64}), OmptState::kWorkParallel, 2000);
  Sample(team_.Frames(2, body_, {"in_compute"}), OmptState::kWorkParallel, 4000);
  Record waited;
  waited.mutable_wait_stats()->set_thread(2);
  waited.mutable_wait_stats()->set_state(StateToWire(OmptState::kWaitBarrierExplicit));
  waited.mutable_wait_stats()->set_count(1);
  waited.mutable_wait_stats()->set_total_ns(1000);
  team_.builder.Append(waited);
  team_.builder.AddThread(2, Thread::WORKER, 10000);
  team_.builder.AddFooter(4, 10000);
  team_.Build();
  ASSERT_EQ(team_.view.regions.size(), 1u);
  const Region& region = team_.view.regions[0];
  EXPECT_EQ(region.weight, 10000u);
  EXPECT_EQ(region.work_weight, 4000u);
  EXPECT_EQ(region.own_weight, 4000u);
  uint64_t overhead = 0;
  for (const uint64_t weight : region.overhead_weight) overhead += weight;
  EXPECT_EQ(overhead, 2000u);
  EXPECT_EQ(region.useful_ns, 5000u);
  EXPECT_EQ(region.useful_max_ns, 3750u);
  EXPECT_EQ(region.useful_min_ns, 1250u);

  const Efficiency efficiency = MeasureEfficiency(team_.view, {});
  ASSERT_TRUE(efficiency.known);
  EXPECT_EQ(efficiency.own_ns, 3000u);
  EXPECT_EQ(efficiency.useful_ns + efficiency.own_ns, 9000u) << "the CPU time, without the 1000 in a wait";
}

// Older collectors marked nothing: file names tell.
class UnmarkedTest : public OwnTimeTest {
 protected:
  UnmarkedTest() : OwnTimeTest(false, "/opt/lib/libompprof.so") {}
};

TEST_F(UnmarkedTest, ByTheNamesOfTheFiles) {
  Sample(Under(body_, {kGomp, kCollector}));
  Sample(Under(body_, {kShim}));
  EXPECT_EQ(team_.Paths(), Strings{Own()});
  EXPECT_EQ(team_.view.own_weight, 2000u);
}

// Functions of the collector that stand in for the C library's have the library's names. The program called the
// functions that they call there.
TEST(OwnTime, AFunctionThatStandsInForTheCLibrarys) {
  Team team;
  const uint64_t collector = 0x7f6000000000;
  team.builder.AddModule(2, Team::kLibrary, collector, 0x100000, false, "", true);
  team.builder.AddModule(5, "/usr/lib/libc.so.6", kLibc - 0x1000, 0x10000);
  const uint32_t main = team.Frames(1, team.Root(1), {"in_main"});
  const uint32_t own = team.builder.AddNode(1, main, NODE_FRAME, collector + team.At("in_leaf") - Team::kBias);
  const uint32_t libc = team.builder.AddNode(1, own, NODE_FRAME, kLibc);
  team.builder.AddSample({.tree = 1, .node = libc, .state = OmptState::kWorkSerial});
  team.builder.AddSample({.tree = 1, .node = own, .state = OmptState::kWorkSerial});
  EXPECT_EQ(team.Paths(), (Strings{"main;<ompprof>", "main;libc.so.6+0x1000"}));
}

}  // namespace
}  // namespace ompprof::analyze

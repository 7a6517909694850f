// Costs of source lines: each sample counts at the lines of its call path, once. The samples are made up;
// team_library.c has the known addresses and lines. A wrong line, or a line counted twice, fails.
#include "profiler/analyze/account/annotation.h"

#include <gtest/gtest.h>

#include "proto/ompt_state.h"
#include "tests/unit/analyze/made_up_view.h"
#include "tests/unit/analyze/team.h"

namespace ompprof::analyze {
namespace {

using test::MadeUpView;
using test::Team;

std::vector<bool> Called(const View& view, const std::string& name) {
  std::vector<bool> wanted(view.frames.function_count());
  for (FunctionId id = 1; id < wanted.size(); ++id)
    wanted[id] = view.frames.function(id).name.compare(0, name.size(), name) == 0;
  return wanted;
}

uint64_t WeightOf(const SpotCost& spot, Spent spent) { return spot.weight[static_cast<int>(spent)]; }

// main calls compute at line 48. compute is sampled at line 10.
TEST(Annotation, LeafAndCallerToTheAddress) {
  Team team;
  const uint32_t root = team.Root(1);
  const uint32_t main = team.builder.AddNode(1, root, NODE_FRAME | NODE_RETURN_ADDRESS, team.At("in_main") + 1);
  const uint32_t compute = team.Frames(1, main, {"in_compute"});
  team.builder.AddSample({.node = compute, .state = OmptState::kWorkSerial, .samples = 3, .weight = 3000});
  team.builder.AddSample(
      {.node = team.Frames(1, root, {"in_main"}), .state = OmptState::kWorkSerial, .samples = 1, .weight = 1000});
  team.Build();

  const Annotation computed = Annotate(team.view, Called(team.view, "compute"));
  EXPECT_EQ(computed.all.self.weight, 3000u);
  EXPECT_EQ(computed.all.total.weight, 3000u);
  ASSERT_EQ(computed.files.size(), 1u);
  EXPECT_EQ(computed.files[0].lines.at(10).self.samples, 3u);
  ASSERT_EQ(computed.code.size(), 1u);
  ASSERT_EQ(computed.code[0].addresses.size(), 1u);
  EXPECT_EQ(computed.code[0].addresses.begin()->first, team.At("in_compute") - Team::kBias);

  // A sample of main itself stands at its instruction. The call lies one byte before a return address.
  const Annotation caller = Annotate(team.view, Called(team.view, "main"));
  EXPECT_EQ(caller.all.self.weight, 1000u);
  EXPECT_EQ(caller.all.total.weight, 4000u);
  const SpotCost& line = caller.files[0].lines.at(48);
  EXPECT_EQ(line.self.weight, 1000u);
  EXPECT_EQ(line.total.weight, 4000u);
  EXPECT_EQ(WeightOf(line, Spent::kWork), 1000u);
  const SpotCost& instruction = caller.code[0].addresses.at(team.At("in_main") - Team::kBias);
  EXPECT_EQ(instruction.self.weight, 1000u);
  EXPECT_EQ(instruction.total.weight, 4000u);  // in_main + 1, a return address, is looked up at in_main
}

// Waits, and time in the runtime, belong to the line that called the runtime.
TEST(Annotation, WhatTimeIsSpentOn) {
  MadeUpView run;
  run.Add({.path = {"main", "f"}, .weight = 1, .state = OmptState::kWorkParallel});
  run.Add({.path = {"main", "f", "<omp critical>"}, .weight = 2, .wait = 70, .state = OmptState::kWaitCritical});
  run.Add({.path = {"main", "f", "<omp barrier: implicit>"}, .weight = 4, .state = OmptState::kWaitBarrierImplicit});
  run.Add({.path = {"main", "f", "<omp taskwait>"}, .weight = 8, .state = OmptState::kWaitTaskwait});
  run.Add({.path = {"main", "f", "<omp overhead>"}, .weight = 16, .state = OmptState::kWorkParallel});
  run.Add({.path = {"main", "f", "<omp reduction>"}, .weight = 32, .state = OmptState::kWorkReduction});
  run.Add({.path = {"main", "f", "g"}, .weight = 64, .state = OmptState::kWorkParallel});
  const Annotation f = Annotate(run.view, Called(run.view, "f"));
  const SpotCost& line = f.files.at(0).lines.at(1);
  EXPECT_EQ(WeightOf(line, Spent::kWork), 1u);
  EXPECT_EQ(WeightOf(line, Spent::kLock), 2u);
  EXPECT_EQ(WeightOf(line, Spent::kBarrier), 4u);
  EXPECT_EQ(WeightOf(line, Spent::kTasks), 8u);
  EXPECT_EQ(WeightOf(line, Spent::kOverhead), 16u);
  EXPECT_EQ(WeightOf(line, Spent::kOtherWait), 32u);
  EXPECT_EQ(line.self.weight, 63u);
  EXPECT_EQ(line.self.wait, 70u);
  EXPECT_EQ(line.total.weight, 127u);
  EXPECT_TRUE(f.code.empty());  // made-up frames have no address
}

TEST(Annotation, RecursionCountsOnce) {
  MadeUpView run;
  run.Add({.path = {"main", "f", "g", "f"}, .weight = 5});
  const Annotation f = Annotate(run.view, Called(run.view, "f"));
  EXPECT_EQ(f.all.total.weight, 5u);
  EXPECT_EQ(f.files.at(0).lines.at(1).total.weight, 5u);
}

TEST(Annotation, InTheMachineViewTheStateSaysIt) {
  MadeUpView run;
  run.view.kind = ViewKind::kMachine;
  run.Add({.path = {"main", "spin"}, .weight = 3, .state = OmptState::kWaitCritical});
  const Annotation spin = Annotate(run.view, Called(run.view, "spin"));
  EXPECT_EQ(WeightOf(spin.all, Spent::kLock), 3u);
}

}  // namespace
}  // namespace ompprof::analyze

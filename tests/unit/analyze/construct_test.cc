// Names of constructs for each compiler's way of outlining them.
#include "profiler/analyze/builder/construct.h"

#include <gtest/gtest.h>

#include "proto/ompt_state.h"
#include "tests/unit/analyze/team.h"

namespace ompprof::analyze {
namespace {

using test::Strings;
using test::Team;

// The path of a worker in the region with this codeptr, in the frames `labels`.
Strings Worker(Team* team, const std::string& creator, const std::string& codeptr, const Strings& labels,
               uint32_t kind = NODE_IMPLICIT_TASK) {
  team->builder.AddContext(1, team->At(codeptr), 1, team->Frames(1, team->Root(1), {creator}));
  const uint32_t marker = team->builder.AddNode(2, team->Root(2), kind, team->At(codeptr));
  team->builder.AddSample({.tree = 2,
                           .node = team->Frames(2, marker, labels),
                           .state = OmptState::kWorkParallel,
                           .splice = 1,
                           .region = 1});
  return team->Paths();
}

TEST(Construct, ClangBefore16TakesTheParentFromTheCall) {
  Team team;
  EXPECT_EQ(Worker(&team, "old_fork", "old_fork", {"in_old_wrapper", "in_old_body", "in_leaf"}),
            Strings{"old_style;old_style [omp parallel team.c:102];leaf"});
}

TEST(Construct, WrapperAloneIsTheConstruct) {
  Team team;
  EXPECT_EQ(Worker(&team, "old_fork", "old_fork", {"in_old_wrapper"}),
            Strings{"old_style;old_style [omp parallel team.c:102]"});
}

TEST(Construct, TheBodysLineIsKept) {
  Team team;
  Worker(&team, "old_fork", "old_fork", {"in_old_wrapper", "in_old_body"});
  const Location& location = team.view.frames.location(team.view.paths.node(team.view.samples[0].path).location);
  ASSERT_EQ(location.line_count, 1u);
  EXPECT_EQ(team.view.frames.line(location.first_line).line, 104u);
  EXPECT_EQ(team.view.frames.function(team.view.frames.line(location.first_line).function).line, 102u);
}

TEST(Construct, TailCallLeavesCodeptrInTheCaller) {
  Team team;
  EXPECT_EQ(Worker(&team, "left_by_tail_call", "left_by_tail_call", {"in_old_wrapper", "in_old_body", "in_leaf"}),
            Strings{"caller;old_style [omp parallel team.c:102];leaf"});
}

TEST(Construct, WhatABodyToldHoldsWhereOnlyCodeptrIsKnown) {
  Team team;
  const uint32_t waiting = team.Frames(3, team.Root(3), {"~in_runtime"});
  team.builder.AddSample(
      {.tree = 3, .node = waiting, .state = OmptState::kWaitBarrierImplicitParallel, .splice = 1, .region = 1});
  const Strings paths = Worker(&team, "left_by_tail_call", "left_by_tail_call", {"in_old_wrapper", "in_old_body"});
  EXPECT_EQ(paths[1], "caller;old_style [omp parallel team.c:102];<omp barrier: implicit>");
}

TEST(Construct, GccNamesTheParent) {
  Team team;
  EXPECT_EQ(Worker(&team, "gcc_fork", "gcc_fork", {"in_gcc"}), Strings{"solve;solve [omp parallel team.c:202]"});
}

TEST(Construct, GccTasksAreToldByTheMarker) {
  Team team;
  EXPECT_EQ(Worker(&team, "in_main", "gcc_fork", {"in_gcc"}, NODE_EXPLICIT_TASK).at(0).substr(0, 5), "main;");
  EXPECT_NE(team.Paths().at(0).find("solve [omp task team.c:202]"), std::string::npos);
}

// Very deep in tasks, the collector does not ask for each task, and a body has no marker.
TEST(Construct, GccTaskWithoutAMarkerIsToldByTheSameBodyWithOne) {
  for (const auto& [kind, name] : {std::pair<uint32_t, const char*>{NODE_EXPLICIT_TASK, "omp task"},
                                   {NODE_UNDEFERRED_TASK, "omp task (run at once)"}}) {
    Team team;
    const uint32_t main = team.Frames(1, team.Root(1), {"in_main", "~in_runtime"});
    const uint32_t outer = team.Frames(1, main, {"in_gcc", "in_leaf", "~in_runtime"});
    const uint32_t marker = team.builder.AddNode(1, outer, kind, 0);
    team.builder.AddSample({.tree = 1, .node = team.Frames(1, marker, {"in_gcc", "in_compute"})});
    const std::string task = std::string("solve [") + name + " team.c:202]";
    EXPECT_EQ(team.Paths(), Strings{"main;" + task + ";leaf;" + task + ";compute"});
  }
}

// Where the runtime is not asked, the callbacks tell the region, and not where it begins on the stack.
TEST(Construct, GccRegionWithoutAMarkerIsToldByTheSameBodyWithOne) {
  Team team;
  team.builder.AddSample({.tree = 3, .node = team.Frames(3, team.Root(3), {"in_gcc", "in_leaf"})});
  const Strings paths = Worker(&team, "gcc_fork", "gcc_fork", {"in_gcc"});
  EXPECT_EQ(paths, (Strings{"solve [omp parallel team.c:202];leaf", "solve;solve [omp parallel team.c:202]"}));
}

TEST(Construct, WithoutOmptTheKindIsNotKnown) {
  Team team;
  team.builder.AddSample({.node = team.Frames(1, team.Root(1), {"in_gcc", "in_leaf"})});
  EXPECT_EQ(team.Paths(), Strings{"solve [omp region team.c:202];leaf"});
}

TEST(Construct, RegionTableHasTheSameNames) {
  Team team;
  Record record;
  record.mutable_region_stats()->set_thread(1);
  record.mutable_region_stats()->set_codeptr_ra(team.At("old_fork"));
  record.mutable_region_stats()->set_invocations(12);
  record.mutable_region_stats()->set_actual_min(2);
  record.mutable_region_stats()->set_actual_max(4);
  team.builder.Append(record);
  Worker(&team, "old_fork", "old_fork", {"in_old_wrapper", "in_old_body"});
  ASSERT_EQ(team.view.regions.size(), 1u);
  EXPECT_EQ(team.view.frames.function(team.view.regions[0].construct).name, "old_style [omp parallel team.c:102]");
  EXPECT_EQ(team.view.regions[0].invocations, 12u);
  EXPECT_EQ(team.view.regions[0].weight, 1000u);
}

// The paths of a worker in each of two regions.
Strings InBoth(Team* team, const std::string& creator, const Strings& codeptrs, const Strings& labels) {
  for (uint32_t i = 0; i < 2; ++i) {
    const uint32_t tree = 2 * i + 1;
    team->builder.AddContext(i + 1, team->At(codeptrs[i]), tree, team->Frames(tree, team->Root(tree), {creator}));
    const uint32_t marker =
        team->builder.AddNode(tree + 1, team->Root(tree + 1), NODE_IMPLICIT_TASK, team->At(codeptrs[i]));
    team->builder.AddSample({.tree = tree + 1,
                             .node = team->Frames(tree + 1, marker, {labels[i]}),
                             .state = OmptState::kWorkParallel,
                             .splice = i + 1,
                             .region = i + 1});
  }
  return team->Paths();
}

TEST(Construct, FunctionsOnOneLineHaveTheirOwnRegions) {
  Team team;
  EXPECT_EQ(
      InBoth(&team, "macro0_left", {"macro0_left", "macro1_left"}, {"in_macro0", "in_macro1"}),
      (Strings{"macro_caller;macro0 [omp parallel team.c:300]", "macro_caller;macro1 [omp parallel team.c:300]"}));
}

TEST(Construct, TwoOnOneLineOfOneFunctionAreTwo) {
  Team team;
  EXPECT_EQ(InBoth(&team, "twice0_fork", {"twice0_fork", "twice1_fork"}, {"in_twice1", "in_twice0"}),
            (Strings{"twice;twice [omp parallel team.c:320 #1]", "twice;twice [omp parallel team.c:320 #2]"}));
}

TEST(Construct, CopiesOfOneFunctionAreOne) {
  Team team;
  EXPECT_EQ(InBoth(&team, "copied_fork", {"copied_fork", "copied_clone_fork"}, {"in_copied", "in_copied_clone"}),
            (Strings{"copied;copied [omp parallel team.c:330]", "copied;copied [omp parallel team.c:330]"}));
  EXPECT_EQ(team.view.samples[0].region, team.view.samples[1].region);
}

}  // namespace
}  // namespace ompprof::analyze

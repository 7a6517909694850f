// The tool's end, the child of a fork, and many threads at the start.
#include <gtest/gtest.h>

#include <chrono>

#include "tests/integration/runtime_shim/activation/launch.h"

namespace gomp_ompt {
namespace {

using Lines = std::vector<std::string>;

constexpr char kStart[] = "start_tool 202011 libgomp";
constexpr char kInitialize[] = "initialize";

std::string Finalize(const std::string& counts) { return "finalize " + counts; }

TEST(End, TheFinalizerRunsOnceHoweverTheProgramExits) {
  Outcome outcome = RunUnderShim("program", {"region"}, {}, {"libtool.so"});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
  EXPECT_EQ(ToolLines(outcome),
            Lines({kStart, kInitialize, Finalize("threads 2/2 regions 1/1 implicit 2/2 initial 1/1 mutex 0/0")}));

  // A worker calls exit() within a region, of the main thread's team and of another team.
  for (const char* mode : {"exit_in_region", "exit_of_root"}) {
    outcome = RunUnderShim("program", {mode}, {}, {"libtool.so"});
    EXPECT_TRUE(outcome.Exited(3)) << mode << outcome.Describe();
    EXPECT_EQ(ToolLines(outcome),
              Lines({kStart, kInitialize, Finalize("threads 2/1 regions 1/0 implicit 2/0 initial 1/0 mutex 0/0")}))
        << mode;
  }
  // Ends without exit handlers.
  for (const char* mode : {"_exit", "quick_exit"}) {
    outcome = RunUnderShim("program", {mode}, {}, {"libtool.so"});
    EXPECT_TRUE(IsDone(outcome)) << mode << outcome.Describe();
    EXPECT_EQ(ToolLines(outcome), Lines({kStart, kInitialize})) << mode;
  }
}

TEST(End, ExitHandlersOfTheProgramMayUseOpenMpBeforeAndAfter) {
  const Outcome outcome = RunUnderShim("program", {"handlers"}, {}, {"libtool.so"});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
  EXPECT_EQ(ToolLines(outcome),
            Lines({kStart, kInitialize, Finalize("threads 2/2 regions 2/2 implicit 4/4 initial 1/1 mutex 0/0")}));
}

TEST(End, WorkersOfARegionWithinATaskReportTheirEnd) {
  const Outcome outcome = RunUnderShim("program", {"region_in_task"}, {}, {"libtool.so"});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
  EXPECT_EQ(ToolLines(outcome),
            Lines({kStart, kInitialize, Finalize("threads 2/2 regions 1/1 implicit 2/2 initial 1/1 mutex 0/0")}));
}

std::chrono::nanoseconds Measure(const char* mode, const std::string& counts) {
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = RunUnderShim("program", {mode}, {}, {"libtool.so"});
  EXPECT_TRUE(IsDone(outcome)) << mode << outcome.Describe();
  EXPECT_EQ(ToolLines(outcome), Lines({kStart, kInitialize, Finalize(counts)})) << mode;
  return std::chrono::steady_clock::now() - begin;
}

// exit() waits for workers that are about to end, but not for ever, and not for workers that stay.
TEST(End, TheWaitForWorkersIsShortAndOnlyWhereTheyEnd) {
  const auto stuck = Measure("stuck_worker", "threads 2/1 regions 2/2 implicit 3/2 initial 1/1 mutex 0/0");
  const auto living = Measure("living_root", "threads 2/0 regions 1/1 implicit 2/1 initial 1/0 mutex 0/0");
  EXPECT_LT(living * 5 / 4, stuck);
}

TEST(FinalizeTool, OutsideOfRegions) {
  const Outcome outcome = RunUnderShim("program_with_tool", {"end_outside"});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
  // The worker's last end is not yet reported, and no later event is.
  EXPECT_EQ(ToolLines(outcome),
            Lines({kStart, kInitialize, Finalize("threads 2/1 regions 1/1 implicit 2/1 initial 1/1 mutex 0/0")}));
}

TEST(FinalizeTool, InsideOfARegionByAWorker) {
  const Outcome outcome = RunUnderShim("program_with_tool", {"end_inside"});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
  EXPECT_EQ(ToolLines(outcome),
            Lines({kStart, kInitialize, Finalize("threads 2/1 regions 1/0 implicit 2/0 initial 1/0 mutex 0/0")}));
}

TEST(FinalizeTool, InEachCallback) {
  for (const char* event : {"thread_begin", "thread_end", "parallel_begin", "parallel_end", "implicit_begin",
                            "implicit_end", "mutex_acquire", "mutex_released"}) {
    for (const char* mode : {"critical", "roots", "fork"}) {
      const Outcome outcome = RunUnderShim("program_with_tool", {mode}, {{"TOOL_SCRIPT", std::string("in_") + event}});
      EXPECT_TRUE(outcome.Exited(0)) << event << outcome.Describe();
      const Lines lines = ToolLines(outcome);
      ASSERT_GE(lines.size(), 3u) << event << outcome.Describe();
      int finalized = 0;
      for (const std::string& line : lines)
        if (line.rfind("finalize", 0) == 0) finalized++;
      EXPECT_EQ(finalized, 1) << event << " in " << mode << outcome.Describe();
      if (std::string(mode) == "critical") {
        EXPECT_EQ(outcome.out, "done\n") << event;
      }
    }
  }
}

TEST(Fork, TheChildStartsItsOwnTool) {
  const Outcome outcome = RunUnderShim("program", {"fork"}, {}, {"libtool.so"});
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_EQ(outcome.out, "done\ndone\n");
  EXPECT_EQ(ToolLines(outcome, "tool (child)"),
            Lines({kStart, kInitialize, Finalize("threads 2/2 regions 1/1 implicit 2/2 initial 1/1 mutex 0/0")}));
  const Lines all = ToolLines(outcome);
  EXPECT_EQ(all.size(), 6u);
  EXPECT_EQ(all.back(), Finalize("threads 2/2 regions 1/1 implicit 2/2 initial 1/1 mutex 1/1"));
}

TEST(Fork, TheChildDoesNotWaitForItsParentsWorkers) {
  const Outcome outcome = RunUnderShim("program", {"fork_after_region"}, {}, {"libtool.so"});
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_EQ(outcome.out, "done\ndone\n");
  EXPECT_EQ(ToolLines(outcome, "tool (child)"),
            Lines({kStart, kInitialize, Finalize("threads 1/1 regions 0/0 implicit 0/0 initial 1/1 mutex 1/1")}));
}

TEST(Fork, WhileAnotherThreadStartsTheTool) {
  for (const char* script : {"late", "slow"}) {
    const Outcome outcome = RunUnderShim("program", {"fork_at_start"}, {{"TOOL_SCRIPT", script}}, {"libtool.so"});
    EXPECT_TRUE(IsDone(outcome)) << script << outcome.Describe();
    EXPECT_EQ(ToolLines(outcome, "tool (child)"),
              Lines({kStart, kInitialize, Finalize("threads 2/2 regions 1/1 implicit 2/2 initial 1/1 mutex 0/0")}))
        << script;
  }
}

TEST(Fork, WhileOtherThreadsAreInTheRuntime) {
  const Outcome outcome = RunUnderShim("program", {"fork_storm"}, {}, {"libtool.so"});
  EXPECT_TRUE(IsDone(outcome)) << outcome.Describe();
  const Lines child = ToolLines(outcome, "tool (child)");
  ASSERT_EQ(child.size(), 3u * 40u);
  int ended = 0;
  for (const std::string& line : child)
    if (line.rfind("finalize threads 2/2 regions 1/1 implicit 2/2 initial 1/1", 0) == 0) ended++;
  EXPECT_EQ(ended, 40) << outcome.err;
}

TEST(Start, ThreadsThatComeMeanwhileWaitAndLoseNothing) {
  for (const char* script : {"slow", "slow region", "slow thread"}) {
    const Outcome outcome = RunUnderShim("program_with_tool", {"roots"}, {{"TOOL_SCRIPT", script}});
    EXPECT_TRUE(IsDone(outcome)) << script << outcome.Describe();
    EXPECT_EQ(ToolLines(outcome),
              Lines({kStart, kInitialize, Finalize("threads 8/8 regions 0/0 implicit 0/0 initial 8/8 mutex 8/8")}))
        << script;
  }
}

TEST(Start, AnInitializerMayUseOpenMpUnseen) {
  for (const char* script : {"region", "thread", "region thread"}) {
    const Outcome outcome = RunUnderShim("program_with_tool", {"critical"}, {{"TOOL_SCRIPT", script}});
    EXPECT_TRUE(IsDone(outcome)) << script << outcome.Describe();
    EXPECT_EQ(ToolLines(outcome),
              Lines({kStart, kInitialize, Finalize("threads 2/2 regions 1/1 implicit 2/2 initial 1/1 mutex 2/2")}))
        << script;
  }
}

}  // namespace
}  // namespace gomp_ompt

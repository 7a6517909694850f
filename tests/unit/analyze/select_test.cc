// A view of a phase, a region or a thread: what stays, what goes, and that totals are those of the part.
#include "profiler/analyze/builder/select.h"

#include <gtest/gtest.h>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/view/call_tree.h"
#include "tests/unit/analyze/made_up_run.h"
#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::analyze {
namespace {

constexpr char kSolve[] = "solve [omp parallel a.c:1]";
constexpr char kInner[] = "inner [omp parallel a.c:9]";

struct StagedRun : test::MadeUpView {
  StagedRun() {
    process().threads.resize(2);
    process().threads[0].id = 1;
    process().threads[1].id = 2;
    view.phases = {"", "setup", "solve", "solve/uneven"};
    view.phases_around = {0, 0, 0, 2};
    AddIn(1, {.path = {"main", "prepare"}, .samples = 10, .weight = 10000});
    AddIn(2, {.path = {"main", kSolve, "work"}, .samples = 20, .weight = 20000, .blame = 5000, .region = kSolve});
    AddIn(3, {.path = {"main", kSolve, "work"}, .samples = 30, .weight = 60000, .thread = 2, .region = kSolve});
    AddIn(3, {.path = {"main", kSolve, kInner}, .samples = 5, .weight = 5000, .thread = 2, .region = kInner});
    AddIn(2, {.path = {"main", kSolve, "<omp barrier: implicit>"},
              .samples = 0,
              .weight = 0,
              .wait = 7000,
              .thread = 2,
              .state = OmptState::kWaitBarrierImplicitParallel,
              .region = kSolve});
    AddWait(2, kSolve, 9000);
    AddWait(1, kInner, 400);
    AddRegion(kSolve, 85000);
    AddRegion(kInner, 5000);
    for (const uint32_t thread : {1u, 2u}) view.accounts[{0, thread}].lifetime_ns = 1000 * thread;
    view.device_work.emplace_back();
    view.job_figures.emplace_back();
  }

  void AddIn(uint32_t phase, const test::MadeUpSample& sample) {
    Add(sample);
    view.samples.back().phase = phase;
    view.samples.back().in_wait = sample.wait != 0;
  }

  void AddWait(uint32_t thread, const char* region, uint64_t ns) {
    WaitTotal wait{};
    wait.thread = thread;
    wait.state = OmptState::kWaitBarrierImplicitParallel;
    wait.region = Function(region);
    wait.total_ns = ns;
    wait.count = 1;
    view.waits.push_back(wait);
  }

  void AddRegion(const char* name, uint64_t weight) {
    Region region{};
    region.construct = Function(name);
    region.weight = weight;
    region.elapsed_ns = 1000;
    view.regions.push_back(region);
  }

  void Count(size_t sample, uint64_t cycles) { view.samples.at(sample).cost.counts[0] = cycles; }

  Selection Of(const std::string& phase, const std::string& region, std::optional<uint32_t> thread = std::nullopt) {
    Selection selection{phase, region, thread};
    EXPECT_EQ(WhyNotSelectable(selection, view), "");
    Select(selection, &view);
    return selection;
  }

  uint64_t Waits() const {
    uint64_t sum = 0;
    for (const WaitTotal& wait : view.waits) sum += wait.total_ns;
    return sum;
  }
};

TEST(Select, APhaseHasThePhasesInsideIt) {
  StagedRun run;
  run.Of("solve", "");
  EXPECT_EQ(run.view.total_weight, 85000u);
  EXPECT_EQ(run.view.run_weight, 95000u);
  EXPECT_EQ(run.view.total_samples, 55u);
  EXPECT_EQ(run.view.total_wait, 7000u);
  EXPECT_EQ(run.view.total_blame, 5000u);
  EXPECT_DOUBLE_EQ(run.view.weight_squares, 20000.0 * 20000 / 20 + 60000.0 * 60000 / 30 + 5000.0 * 5000 / 5);
  // Nothing else is known of a phase.
  EXPECT_TRUE(run.view.waits.empty());
  EXPECT_TRUE(run.view.regions.empty());
  EXPECT_TRUE(run.view.accounts.empty());

  StagedRun inner;
  inner.Of("solve/uneven", "");
  EXPECT_EQ(inner.view.total_weight, 65000u);
}

TEST(Select, ARegionIsTheInnermost) {
  StagedRun run;
  run.Of("", "solve");
  EXPECT_EQ(run.view.total_weight, 80000u);
  EXPECT_EQ(run.Waits(), 9000u);
  // 7,000 ns of its waits have a path. The rest is in short waits.
  EXPECT_EQ(run.view.total_wait, 9000u);
  ASSERT_EQ(run.view.regions.size(), 1u);
  EXPECT_EQ(run.view.frames.function(run.view.regions[0].construct).name, kSolve);
  EXPECT_EQ(run.view.regions[0].elapsed_ns, 1000u);
  EXPECT_EQ(run.view.regions[0].weight, 80000u);
  EXPECT_TRUE(run.view.accounts.empty());

  StagedRun inner;
  inner.Of("", kInner);
  EXPECT_EQ(inner.view.total_weight, 5000u);
  EXPECT_EQ(inner.Waits(), 400u);
}

TEST(Select, AThread) {
  StagedRun run;
  run.Of("", "", 2);
  EXPECT_EQ(run.view.total_weight, 65000u);
  EXPECT_EQ(run.Waits(), 9000u);
  EXPECT_TRUE(run.view.regions.empty());
  ASSERT_EQ(run.view.accounts.size(), 1u);
  const Summary summary = Summarize(run.view);
  ASSERT_EQ(summary.threads.size(), 1u);
  EXPECT_EQ(summary.threads[0].id, 2u);
  EXPECT_EQ(summary.threads[0].account.lifetime_ns, 2000u);
}

TEST(Select, TheIntersection) {
  StagedRun run;
  run.Of("solve", "solve", 1);
  ASSERT_EQ(run.Stacks().size(), 1u);
  EXPECT_EQ(run.Stacks()[0], std::string("main;") + kSolve + ";work 20000");
}

TEST(Select, WhatIsKnownOfTheRunOnlyGoes) {
  for (const Selection& selection : {Selection{"setup"}, Selection{"", "solve"}, Selection{"", "", 1}}) {
    StagedRun run;
    Select(selection, &run.view);
    EXPECT_TRUE(run.view.device_work.empty());
    EXPECT_TRUE(run.view.job_figures.empty());
    EXPECT_TRUE(run.view.selection.any());
  }
}

TEST(WhyNotSelectable, ListsWhatThereIs) {
  StagedRun run;
  EXPECT_EQ(WhyNotSelectable({"uneven"}, run.view),
            "--phase=uneven: no such phase in this profile; the profile has setup, solve, solve/uneven");
  EXPECT_EQ(WhyNotSelectable({"", "nothing"}, run.view),
            std::string("--region=nothing: no such region in this profile; the profile has ") + kSolve + ", " + kInner);
  EXPECT_EQ(WhyNotSelectable({"", "", 7}, run.view),
            "--thread=7: no such thread in this profile; the profile has 1, 2");
  run.view.phases = {""};
  run.view.regions.clear();
  EXPECT_EQ(WhyNotSelectable({"solve"}, run.view),
            "--phase=solve: the profile has no phases; a program names its phases with ompprof_push_label (ompprof.h)");
  EXPECT_EQ(WhyNotSelectable({"", "solve"}, run.view),
            "--region=solve: the profile has no parallel regions; without OMPT, a profile has none");
  run.process().threads.clear();
  for (uint32_t id = 1; id <= 20; ++id) run.process().threads.emplace_back().id = id;
  EXPECT_EQ(WhyNotSelectable({"", "", 21}, run.view),
            "--thread=21: no such thread in this profile; the profile has 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, "
            "14, 15, 16, ...");
}

TEST(FindRegions, ByWhatAPersonWrites) {
  test::MadeUpRun run(2, test::kSecond);
  run.AddRegion("solve", 1, test::kSecond, test::kSecond, test::kSecond, 0);
  run.AddRegion("solver", 1, test::kSecond, test::kSecond, test::kSecond, 0);
  EXPECT_EQ(FindRegions(run.view, "solve").size(), 1u);
  EXPECT_EQ(FindRegions(run.view, "solv").size(), 2u);
  EXPECT_EQ(FindRegions(run.view, "a.c:1").size(), 2u);
  EXPECT_EQ(FindRegions(run.view, "solver [omp parallel a.c:1]").size(), 1u);
  EXPECT_TRUE(FindRegions(run.view, "b.c:1").empty());
  run.AddRegion("ns::step(double*, int)", 1, test::kSecond, test::kSecond, test::kSecond, 0);
  run.AddRegion("ns::step(double*, int)::{lambda()#1}", 1, test::kSecond, test::kSecond, test::kSecond, 0);
  EXPECT_EQ(FindRegions(run.view, "ns::step").size(), 2u);
  EXPECT_EQ(FindRegions(run.view, "ns::step(double*, int)").size(), 1u);
  EXPECT_EQ(FindRegions(run.view, "step").size(), 2u);
}

TEST(Select, CountsAreThoseOfThePart) {
  StagedRun run;
  for (const size_t sample : {0, 1, 2, 3}) run.Count(sample, 1u << sample);
  Select(run.Of("", kSolve), &run.view);
  EXPECT_EQ(run.view.total_counts[0], 6u);
  ASSERT_EQ(run.view.regions.size(), 1u);
  EXPECT_EQ(run.view.regions[0].counts[0], 6u);
}

}  // namespace
}  // namespace ompprof::analyze

// How speed changes with the number of threads: known answers from made-up runs.
#include "profiler/analyze/compare/scaling.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::analyze {
namespace {

constexpr double kSecond = 1e9;

// A run of `work` seconds of useful time, and for each thread the rest of its time at barriers.
ScalingRun ARun(uint32_t threads, double wall, double work, double processors = 8) {
  ScalingRun run;
  run.threads = threads;
  run.processors = processors;
  run.wall_ns = wall * kSecond;
  run.work_ns = work * kSecond;
  run.parts[ScalingPart::kBarriers] = (threads * wall - work) * kSecond;
  return run;
}

void AddRegion(const std::string& name, double elapsed, double work, ScalingRun* run) {
  RunRegion& region = run->regions.emplace_back();
  region.name = name;
  region.times.elapsed_ns = elapsed * kSecond;
  region.times.work_ns = work * kSecond;
}

void AddCode(const std::string& name, uint32_t line, uint64_t samples, RunFigures* figures) {
  Amount amount;
  amount.AddSamples(samples, samples * 1000000);
  figures->functions.push_back({name, "a.c", line, amount, amount});
}

TEST(Scaling, ThePartsAndTheWorkAreTheThreadTime) {
  const Scaling scaling = MeasureScaling({ARun(4, 1.5, 5), ARun(1, 4, 4), ARun(2, 2.25, 4.5)});
  ASSERT_EQ(scaling.points.size(), 3u);
  for (const ScalingPoint& point : scaling.points) {
    EXPECT_DOUBLE_EQ(point.work_ns, 4 * kSecond);
    EXPECT_DOUBLE_EQ(point.work_ns + point.parts.sum(), point.thread_ns()) << point.threads;
  }
  EXPECT_EQ(scaling.points[2].threads, 4u);
  EXPECT_DOUBLE_EQ(scaling.points[2].parts[ScalingPart::kInflation], 1 * kSecond);
  EXPECT_DOUBLE_EQ(scaling.points[2].parts[ScalingPart::kBarriers], 1 * kSecond);
  EXPECT_DOUBLE_EQ(scaling.points[2].speedup, 4 / 1.5);
  EXPECT_DOUBLE_EQ(scaling.points[2].parallel_efficiency(), 5. / 6);
}

TEST(Scaling, WorkMayShrink) {
  const Scaling scaling = MeasureScaling({ARun(1, 4, 4), ARun(2, 1.5, 3)});
  EXPECT_DOUBLE_EQ(scaling.points[1].parts[ScalingPart::kInflation], -1 * kSecond);
  EXPECT_DOUBLE_EQ(scaling.points[1].speedup, 4 / 1.5);
  EXPECT_DOUBLE_EQ(scaling.points[1].work_ns + scaling.points[1].parts.sum(), scaling.points[1].thread_ns());
}

TEST(Scaling, TheFewestThreadsNearTheBestTime) {
  const Scaling scaling = MeasureScaling({ARun(1, 4, 4), ARun(2, 2.04, 4), ARun(4, 2.0, 4), ARun(8, 2.1, 4)});
  EXPECT_EQ(scaling.judged, 4u);
  EXPECT_EQ(scaling.points[scaling.best].threads, 4u);
  EXPECT_EQ(scaling.points[scaling.enough].threads, 2u);
}

TEST(Scaling, RunsWithoutAProcessorForEachThreadAreNotJudged) {
  const Scaling scaling = MeasureScaling({ARun(1, 4, 4, 2), ARun(2, 2, 4, 2), ARun(4, 1, 4, 2)});
  EXPECT_EQ(scaling.judged, 2u);
  EXPECT_EQ(scaling.points[scaling.best].threads, 2u);
  EXPECT_EQ(scaling.last_judged().threads, 2u);
  const Scaling none = MeasureScaling({ARun(4, 1, 4, 2), ARun(8, 1, 4, 2)});
  EXPECT_EQ(none.judged, 0u);
  EXPECT_EQ(none.last_judged().threads, 4u);
  EXPECT_TRUE(none.functions.empty());
}

TEST(Scaling, OtherProgramsDisturb) {
  ScalingRun disturbed = ARun(2, 2, 3.5);
  disturbed.parts[ScalingPart::kReady] = 0.3 * kSecond;
  disturbed.parts[ScalingPart::kBarriers] = 0.2 * kSecond;
  EXPECT_TRUE(MeasureScaling({ARun(1, 3.5, 3.5), disturbed}).is_disturbed());
  EXPECT_FALSE(MeasureScaling({ARun(1, 3.5, 3.5), ARun(2, 2, 3.5)}).is_disturbed());
  // Beyond the processors, threads lack them anyway.
  disturbed.processors = 1;
  EXPECT_FALSE(MeasureScaling({ARun(1, 3.5, 3.5), disturbed}).is_disturbed());
}

TEST(Scaling, SlowerBeyondTheDifferencesOfTheRuns) {
  const Scaling single = MeasureScaling({ARun(1, 1, 1), ARun(2, 0.98, 1), ARun(4, 0.9, 1)});
  EXPECT_FALSE(single.IsFaster(1, 0)) << "2 % is no difference of single runs";
  EXPECT_TRUE(single.IsFaster(2, 0));
  const Scaling apart =
      MeasureScaling({ARun(1, 1, 1), ARun(1, 1.2, 1), ARun(1, 0.8, 1), ARun(2, 0.9, 1), ARun(2, 0.91, 1)});
  EXPECT_GT(apart.points[0].wall_margin_ns, 0.3 * kSecond);
  EXPECT_EQ(apart.points[0].runs, 3u);
  EXPECT_FALSE(apart.IsFaster(1, 0)) << "runs differ by more";
}

TEST(Scaling, EndsWhereNothingIsFasterBeyondChance) {
  const Scaling scaling = MeasureScaling({ARun(1, 4, 4), ARun(2, 2, 4), ARun(4, 1.99, 4), ARun(8, 1.98, 4)});
  EXPECT_EQ(scaling.points[scaling.best].threads, 8u);
  EXPECT_EQ(scaling.points[scaling.end].threads, 2u);
  EXPECT_EQ(MeasureScaling({ARun(1, 4, 4), ARun(2, 2, 4)}).end, 1u);
  EXPECT_EQ(MeasureScaling({ARun(1, 4, 4), ARun(2, 5, 4)}).end, 0u);
}

TEST(Scaling, RegionsByWhatIdealSpeedWouldSave) {
  ScalingRun one = ARun(1, 4, 4), four = ARun(4, 2.5, 5), two = ARun(2, 2.5, 4.5);
  AddRegion("bound [omp parallel a.c:1]", 2, 2, &one);
  AddRegion("bound [omp parallel a.c:1]", 1, 2, &two);
  AddRegion("bound [omp parallel a.c:1]", 1.5, 3, &four);
  AddRegion("ideal [omp parallel a.c:9]", 2, 2, &one);
  AddRegion("ideal [omp parallel a.c:9]", 1, 2, &two);
  AddRegion("ideal [omp parallel a.c:9]", 0.5, 2, &four);
  AddRegion("only [omp parallel a.c:20]", 0.5, 2, &four);
  const Scaling scaling = MeasureScaling({one, two, four});
  ASSERT_EQ(scaling.regions.size(), 3u);
  EXPECT_EQ(scaling.regions[0].name, "bound [omp parallel a.c:1]");
  EXPECT_DOUBLE_EQ(scaling.regions[0].gain_ns, 1 * kSecond);
  EXPECT_DOUBLE_EQ(scaling.regions[0].inflation_ns, 1 * kSecond);
  EXPECT_EQ(scaling.points[scaling.regions[0].best].threads, 2u);
  for (const size_t other : {1, 2}) EXPECT_DOUBLE_EQ(scaling.regions[other].gain_ns, 0);
}

TEST(Scaling, CodeThatGrewBeyondChance) {
  ScalingRun one = ARun(1, 4, 4), two = ARun(2, 2.5, 5);
  for (RunFigures* figures : {&one.functions, &one.lines}) {
    AddCode("bound", 7, 1000, figures);
    AddCode("steady", 9, 1000, figures);
    AddCode("<omp overhead>", 0, 10, figures);
  }
  for (RunFigures* figures : {&two.functions, &two.lines}) {
    AddCode("bound", 7, 2000, figures);
    AddCode("steady", 9, 1020, figures);
    AddCode("<omp overhead>", 0, 1000, figures);
  }
  const Scaling scaling = MeasureScaling({one, two});
  for (const auto* grown : {&scaling.functions, &scaling.lines}) {
    ASSERT_EQ(grown->size(), 1u);
    EXPECT_EQ((*grown)[0].name, "bound");
    EXPECT_EQ((*grown)[0].line_after, 7u);
    EXPECT_DOUBLE_EQ((*grown)[0].self.change(), 1 * kSecond);
  }
}

// Runs of a program with this law, each off by a part of its time.
std::vector<ScalingRun> RunsOfLaw(double serial, double crosstalk, double off, const std::vector<uint32_t>& threads) {
  std::vector<ScalingRun> runs;
  for (const uint32_t n : threads) {
    for (const double sign : {-1., 1.}) {
      const double wall = 8 * (1 + serial * (n - 1) + crosstalk * n * (n - 1)) / n * (1 + sign * off);
      ScalingRun run = ARun(n, wall, 8 * (1 + sign * off), 64);
      // The serial part leaves the other threads idle.
      run.parts[ScalingPart::kBarriers] = 0;
      run.parts[ScalingPart::kIdle] = n * run.wall_ns - run.work_ns;
      runs.push_back(run);
    }
  }
  return runs;
}

TEST(Extrapolation, FollowsTheLaw) {
  for (const auto& [serial, crosstalk] : {std::pair(0., 0.), std::pair(0.05, 0.), std::pair(0.05, 0.002)}) {
    const std::vector<ScalingRun> runs = RunsOfLaw(serial, crosstalk, 0.002, {1, 2, 4, 8});
    const Scaling scaling = MeasureScaling(runs);
    for (const uint32_t threads : {16u, 32u}) {
      const Extrapolation more = Extrapolate(scaling, runs, threads);
      ASSERT_EQ(more.why_not, "") << serial << " " << crosstalk << " " << threads;
      const double truth = 8 * (1 + serial * (threads - 1) + crosstalk * threads * (threads - 1)) / threads * kSecond;
      EXPECT_NEAR(more.law_ns, truth, more.law_margin_ns) << serial << " " << crosstalk << " " << threads;
      EXPECT_GT(more.law_margin_ns, 0.002 * truth);
      if (crosstalk != 0) continue;
      EXPECT_NEAR(more.amdahl_ns, truth, 0.02 * truth) << serial << " " << threads;
    }
  }
}

TEST(Extrapolation, IsRefusedWhereRunsDoNotCarryIt) {
  const auto why_not = [](const std::vector<ScalingRun>& runs) {
    return Extrapolate(MeasureScaling(runs), runs, 64).why_not;
  };
  EXPECT_NE(why_not(RunsOfLaw(0.05, 0, 0.01, {1, 2})).find("three numbers"), std::string::npos);
  EXPECT_NE(why_not({ARun(1, 8, 8), ARun(2, 4, 8), ARun(4, 2, 8)}).find("five runs"), std::string::npos);
  EXPECT_NE(why_not(RunsOfLaw(0.05, 0, 0.3, {1, 2, 4})).find("differ by too much"), std::string::npos);
}

TEST(ScalingRun, ItsPartsAreTheEfficiencysLosses) {
  test::MadeUpRun made_up(2, 10 * test::kSecond);
  const FunctionId region =
      made_up.AddRegion("solve", 1, 8 * test::kSecond, 13 * test::kSecond, 8 * test::kSecond, 3 * test::kSecond)
          .construct;
  made_up.AddWait(2, OmptState::kWaitBarrierImplicitParallel, 3 * test::kSecond, 1, region);
  made_up.AddWait(2, OmptState::kIdle, 2 * test::kSecond);
  made_up.Measure();
  const ScalingRun run = MeasureScalingRun(made_up.view, nullptr);
  EXPECT_EQ(run.why_not, "");
  EXPECT_EQ(run.threads, 2u);
  EXPECT_DOUBLE_EQ(run.wall_ns, 10 * kSecond);
  EXPECT_DOUBLE_EQ(run.work_ns, 15 * kSecond);
  EXPECT_DOUBLE_EQ(run.parts[ScalingPart::kBarriers], 3 * kSecond);
  EXPECT_DOUBLE_EQ(run.parts[ScalingPart::kIdle], 2 * kSecond);
  ASSERT_EQ(run.regions.size(), 1u);
  EXPECT_DOUBLE_EQ(run.regions[0].times.work_ns, 13 * kSecond);
  EXPECT_DOUBLE_EQ(run.regions[0].times.parts[ScalingPart::kBarriers], 3 * kSecond);
  made_up.process().sampling.no_waits = true;
  EXPECT_NE(MeasureScalingRun(made_up.view, nullptr).why_not, "");
}

}  // namespace
}  // namespace ompprof::analyze

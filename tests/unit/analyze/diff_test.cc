// Comparisons of runs: known answers from made-up figures, and quantiles from published tables.
#include "profiler/analyze/compare/diff.h"
#include "proto/ompt_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

namespace ompprof::analyze {
namespace {

constexpr uint64_t kMs = 1000000;

// `count` samples of 1 ms.
Amount Samples(uint64_t count) {
  Amount amount;
  amount.AddSamples(count, count * kMs);
  return amount;
}

FunctionFigures Function(const std::string& name, const std::string& file, uint64_t samples, uint32_t line = 0) {
  return {name, file, line, Samples(samples), Samples(samples)};
}

RunFigures OneRun(std::vector<FunctionFigures> functions, uint64_t wall_ms = 1000) {
  RunFigures run;
  run.wall = Amount::Unknown(static_cast<double>(wall_ms * kMs));
  for (const FunctionFigures& function : functions) {
    run.cpu.value += function.self.value;
    run.cpu.variance += function.self.variance;
  }
  run.functions = std::move(functions);
  return run;
}

const FunctionDiff* Find(const Diff& diff, const std::string& name) {
  for (const FunctionDiff& row : diff.functions) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

TEST(Noise, QuantilesOfTheTables) {
  EXPECT_NEAR(NormalQuantile(0.05), 1.959964, 1e-5);
  EXPECT_NEAR(NormalQuantile(0.001), 3.290527, 1e-5);
  // Abramowitz and Stegun, table 26.10.
  EXPECT_NEAR(StudentQuantile(0.05, 1), 12.706, 1e-3);
  EXPECT_NEAR(StudentQuantile(0.05, 2), 4.303, 1e-3);
  EXPECT_NEAR(StudentQuantile(0.05, 3), 3.182, 1e-3);
  EXPECT_NEAR(StudentQuantile(0.05, 4), 2.776, 1e-3);
  EXPECT_NEAR(StudentQuantile(0.05, 10), 2.228, 1e-3);
  EXPECT_NEAR(StudentQuantile(0.05, 30), 2.042, 1e-3);
  EXPECT_NEAR(StudentQuantile(0.01, 5), 4.032, 1e-3);
  EXPECT_NEAR(StudentQuantile(0.001, 8), 5.041, 1e-3);
  EXPECT_NEAR(StudentQuantile(0.5, 6), 0.718, 1e-3);
  EXPECT_NEAR(StudentQuantile(0.05, INFINITY), 1.959964, 1e-5);
}

TEST(Noise, VarianceOfSamplesAndEvents) {
  Amount amount;
  amount.AddSamples(100, 400);  // 100 of weight 4: 100 * 4^2
  EXPECT_DOUBLE_EQ(amount.value, 400);
  EXPECT_DOUBLE_EQ(amount.variance, 1600);
  amount.AddSamples(0, 3);  // a remainder that no signal stands for: at most one of that weight
  EXPECT_DOUBLE_EQ(amount.variance, 1609);
  Amount waits;
  waits.AddEvents(1000, 10);  // at most 100 of 10 each
  EXPECT_DOUBLE_EQ(waits.variance, 10000);
  waits.AddEvents(5, 70);  // no event is longer than all together
  EXPECT_DOUBLE_EQ(waits.variance, 10025);
}

TEST(Noise, OfSeveralRuns) {
  const Mean one = MeanOf({Samples(100)});
  EXPECT_DOUBLE_EQ(one.value, 100.0 * kMs);
  EXPECT_TRUE(std::isinf(one.degrees));
  // Runs differ by no more than sampling explains. The expected variance is sampling's, of a mean of two.
  const Mean alike = MeanOf({Samples(100), Samples(102)});
  EXPECT_DOUBLE_EQ(alike.variance, 202.0 / 4 * kMs * kMs);
  EXPECT_TRUE(std::isinf(alike.degrees));
  // 80, 100, 120 of an exact figure: variance 400, variance of the mean 400 / 3.
  const Mean runs = MeanOf({Amount::Unknown(80), Amount::Unknown(100), Amount::Unknown(120)});
  EXPECT_DOUBLE_EQ(runs.value, 100);
  EXPECT_NEAR(runs.variance, 400.0 / 3, 1e-9);
  EXPECT_DOUBLE_EQ(runs.degrees, 2);
  EXPECT_LT(MeanOf({Amount::Unknown(80)}).variance, 0);
}

TEST(Compare, IntervalAndVerdict) {
  const Diff diff = Compare({OneRun({Function("slow", "a.c", 400), Function("same", "a.c", 600)})},
                            {OneRun({Function("slow", "a.c", 800), Function("same", "a.c", 620)})});
  const FunctionDiff& slow = diff.functions[0];
  EXPECT_EQ(slow.name, "slow");
  EXPECT_DOUBLE_EQ(slow.self.change(), 400.0 * kMs);
  EXPECT_DOUBLE_EQ(slow.self.relative(), 1);
  // The variance of a Poisson count is the count: 400 + 800.
  EXPECT_NEAR(slow.self.margin, 1.959964 * std::sqrt(1200.0) * kMs, 1e3);
  EXPECT_EQ(slow.self.verdict, Verdict::kMore);
  const FunctionDiff& same = diff.functions[1];
  EXPECT_NEAR(same.self.margin, 1.959964 * std::sqrt(1220.0) * kMs, 1e3);
  EXPECT_EQ(same.self.verdict, Verdict::kNoise);
  EXPECT_EQ(diff.cpu.verdict, Verdict::kMore);
  EXPECT_EQ(diff.wall.verdict, Verdict::kUnknown);
  EXPECT_LT(diff.wall.margin, 0);
}

TEST(Compare, ManyRowsAskForMore) {
  // 100 to 135 samples: 2.3 standard deviations, enough for one row but not for one of forty.
  const auto runs = [](uint64_t samples, int others) {
    std::vector<FunctionFigures> functions = {Function("f", "a.c", samples)};
    for (int i = 0; i < others; ++i) functions.push_back(Function("other" + std::to_string(i), "a.c", 50));
    return std::vector<RunFigures>{OneRun(functions)};
  };
  EXPECT_EQ(Find(Compare(runs(100, 0), runs(135, 0)), "f")->self.verdict, Verdict::kMore);
  EXPECT_EQ(Find(Compare(runs(100, 39), runs(135, 39)), "f")->self.verdict, Verdict::kNoise);
  EXPECT_EQ(Find(Compare(runs(100, 39), runs(200, 39)), "f")->self.verdict, Verdict::kMore);
}

TEST(Compare, AProfileWithItself) {
  const std::vector<RunFigures> runs = {OneRun({Function("f", "a.c", 100), Function("g", "a.c", 5)})};
  const Diff diff = Compare(runs, runs);
  for (const FunctionDiff& row : diff.functions) EXPECT_EQ(row.self.verdict, Verdict::kNoise);
  EXPECT_EQ(diff.cpu.verdict, Verdict::kNoise);
  EXPECT_TRUE(FindRegressions(diff, 0).empty());
}

TEST(Compare, SortedByAbsoluteChange) {
  const Diff diff = Compare({OneRun({Function("a", "", 100), Function("b", "", 100), Function("c", "", 100)})},
                            {OneRun({Function("a", "", 110), Function("b", "", 20), Function("d", "", 90)})});
  std::string order;
  for (const FunctionDiff& row : diff.functions) order += row.name;
  EXPECT_EQ(order, "cdba");
  EXPECT_FALSE(diff.functions[0].is_after);
  EXPECT_FALSE(diff.functions[1].is_before);
}

TEST(Compare, FunctionsByNameAndFile) {
  const Diff diff = Compare({OneRun({Function("init", "a.c", 10), Function("init", "b.c", 20)})},
                            {OneRun({Function("init", "b.c", 20), Function("init", "a.c", 70)})});
  ASSERT_EQ(diff.functions.size(), 2u);
  EXPECT_EQ(diff.functions[0].file, "a.c");
  EXPECT_DOUBLE_EQ(diff.functions[0].self.change(), 60.0 * kMs);
  EXPECT_DOUBLE_EQ(diff.functions[1].self.change(), 0);
}

// Lines were inserted above, so every construct moved. A third construct is new.
TEST(Compare, ConstructsOfAFunctionByOrder) {
  const auto construct = [](uint32_t line, uint64_t samples) {
    return Function("solve [omp parallel s.c:" + std::to_string(line) + "]", "s.c", samples, line);
  };
  const Diff moved =
      Compare({OneRun({construct(10, 100), construct(20, 500)})}, {OneRun({construct(20, 100), construct(30, 500)})});
  ASSERT_EQ(moved.functions.size(), 2u);
  for (const FunctionDiff& row : moved.functions) {
    EXPECT_DOUBLE_EQ(row.self.change(), 0);
    EXPECT_EQ(row.line_after, row.line_before + 10);
  }
  const Diff more = Compare({OneRun({construct(10, 100), construct(50, 500)})},
                            {OneRun({construct(12, 100), construct(30, 77), construct(52, 500)})});
  ASSERT_EQ(more.functions.size(), 3u);
  EXPECT_EQ(more.functions[0].name, "solve [omp parallel s.c:30]");
  EXPECT_FALSE(more.functions[0].is_before);
  EXPECT_DOUBLE_EQ(more.functions[1].self.change(), 0);
  EXPECT_DOUBLE_EQ(more.functions[2].self.change(), 0);
}

TEST(Compare, SeveralRunsSayHowTheyVary) {
  // One function with 1000 samples, give or take 200 from run to run. That is twice as noisy as sampling alone says. A
  // change of 150 is then nothing, although it is 3.3 of sampling's standard deviations.
  const auto run = [](uint64_t samples, uint64_t wall_ms) { return OneRun({Function("f", "a.c", samples)}, wall_ms); };
  const Diff noisy =
      Compare({run(800, 1000), run(1000, 1010), run(1200, 1020)}, {run(950, 2000), run(1150, 2010), run(1350, 2020)});
  EXPECT_EQ(noisy.runs_before, 3u);
  EXPECT_DOUBLE_EQ(noisy.functions[0].self.before, 1000.0 * kMs);
  EXPECT_EQ(noisy.functions[0].self.verdict, Verdict::kNoise);
  // s / sqrt(3) on both sides, four degrees of freedom.
  EXPECT_NEAR(noisy.functions[0].self.margin, 2.776 * 200 * kMs * std::sqrt(2.0 / 3), 0.001 * 200 * kMs);
  // Wall time is known to vary by 10 ms.
  EXPECT_EQ(noisy.wall.verdict, Verdict::kMore);
  EXPECT_NEAR(noisy.wall.margin, 2.776 * 10 * kMs * std::sqrt(2.0 / 3), 0.001 * 10 * kMs);
}

TEST(PairLines, LeastDistanceInOrder) {
  using Pairs = std::vector<std::pair<size_t, size_t>>;
  EXPECT_EQ(PairLines({10, 20, 30}, {40, 50, 60}), (Pairs{{0, 0}, {1, 1}, {2, 2}}));
  EXPECT_EQ(PairLines({10, 50}, {12, 30, 52}), (Pairs{{0, 0}, {1, 2}}));
  EXPECT_EQ(PairLines({12, 30, 52}, {10, 50}), (Pairs{{0, 0}, {2, 1}}));
  EXPECT_EQ(PairLines({100}, {10, 99, 500}), (Pairs{{0, 1}}));
  EXPECT_EQ(PairLines({}, {1, 2}), Pairs{});
  EXPECT_EQ(PairLines({0, 0}, {0, 0}), (Pairs{{0, 0}, {1, 1}}));
}

TEST(WithoutPlace, OfConstructs) {
  EXPECT_EQ(WithoutPlace("solve [omp parallel solve.c:12]"), "solve [omp parallel]");
  EXPECT_EQ(WithoutPlace("solve [omp parallel prog+0x12]"), "solve [omp parallel]");
  EXPECT_EQ(WithoutPlace("solve [omp task]"), "solve [omp task]");
  EXPECT_EQ(WithoutPlace("int f(int [3])"), "int f(int [3])");
}

TEST(FindRegressions, ChangesBeyondPercentAndError) {
  const auto before = [] {
    return OneRun({Function("hot", "a.c", 1000), Function("steady", "a.c", 1000), Function("rare", "a.c", 2),
                   Function("old", "a.c", 500)});
  };
  const auto after = OneRun({Function("hot", "a.c", 1500), Function("steady", "a.c", 1010), Function("rare", "a.c", 20),
                             Function("renamed", "a.c", 500)});
  const Diff diff = Compare({before()}, {after});
  const std::vector<GatedFigure> ten = FindRegressions(diff, 10);
  ASSERT_EQ(ten.size(), 2u);
  EXPECT_EQ(ten[0].What(), "CPU time");
  EXPECT_EQ(FindRegressions(diff, 10, "wall time of threads")[0].What(), "wall time of threads");
  EXPECT_EQ(ten[1].What(), "function hot (a.c)");
  EXPECT_DOUBLE_EQ(ten[1].difference.relative(), 0.5);
  EXPECT_TRUE(FindRegressions(diff, 50).empty());
  ASSERT_EQ(FindRegressions(diff, 25).size(), 1u);
}

// However much they grow. The run's own CPU time is still tested.
TEST(FindRegressions, FramesThatAreNoCodeAreNotTested) {
  for (const char* name :
       {"<omp overhead>", "<omp barrier: implicit>", "<omp critical>", "<omp idle>", "<waiting: pthread mutex>",
        "<waiting: TBB>", "<mpi MPI_Allreduce>", "<unwind stopped>", "<frames cut>", "<no stack>", "<ompprof>",
        "<region path unknown>", "<generated code 0x7f0000000000>"}) {
    const auto run = [name](uint64_t samples) {
      RunFigures figures = OneRun({Function("hot", "a.c", 1000), Function(name, "", samples)});
      RegionFigures& region = figures.regions.emplace_back();
      region.name = name;
      region.cpu = Samples(samples);
      return figures;
    };
    const Diff diff = Compare({run(500)}, {run(5000)});
    ASSERT_EQ(Find(diff, name)->self.verdict, Verdict::kMore);
    const std::vector<GatedFigure> regressions = FindRegressions(diff, 5);
    ASSERT_EQ(regressions.size(), 1u) << name;
    EXPECT_EQ(regressions[0].What(), "CPU time");
    for (const GatedFigure& figure : TestFigures(diff, 5)) EXPECT_EQ(figure.name.find('<'), std::string::npos) << name;
  }
}

// Runs of a program with 60 functions, whose figures vary from run to run as a normal distribution.
class SimulatedRuns {
 public:
  // `varies`: the relative standard deviation of most functions; every eighth varies three times as much. `run_varies`:
  // of the wall time.
  SimulatedRuns(double varies, double run_varies) : varies_(varies), run_varies_(run_varies) {}

  // Four runs. The wall time is `wall` times as long as usual, and function 1 takes `function` times as long.
  std::vector<RunFigures> Four(double wall, double function) {
    std::vector<RunFigures> runs(4);
    for (RunFigures& run : runs) {
      for (int i = 0; i < 60; ++i) {
        FunctionFigures& one = run.functions.emplace_back();
        one.name = "f" + std::to_string(i);
        one.file = "a.c";
        one.self.value = 1e8 * (i == 1 ? function : 1) * (1 + (i % 8 == 0 ? 3 : 1) * varies_ * normal_(random_));
        one.self.variance = 0;
        run.cpu.value += one.self.value;
      }
      run.wall = Amount::Unknown(6e9 * wall * (1 + run_varies_ * normal_(random_)));
    }
    return runs;
  }

  // How often of `comparisons` a regression is found.
  int Found(int comparisons, double wall, double function, const std::string& what = "") {
    int found = 0;
    for (int i = 0; i < comparisons; ++i) {
      const std::vector<RunFigures> before = Four(1, 1);
      const std::vector<GatedFigure> regressions = FindRegressions(Compare(before, Four(wall, function)), 5);
      found += std::any_of(regressions.begin(), regressions.end(),
                           [&](const GatedFigure& regression) { return what.empty() || regression.What() == what; });
    }
    return found;
  }

 private:
  double varies_;
  double run_varies_;
  std::mt19937_64 random_{20260101};
  std::normal_distribution<double> normal_;
};

TEST(FindRegressions, OfEqualProgramsAreRare) {
  for (const double varies : {0.01, 0.03}) EXPECT_LT(SimulatedRuns(varies, varies).Found(1000, 1, 1), 10) << varies;
}

TEST(FindRegressions, OfTenPercentAreFound) {
  // The run as a whole, where wall times vary by 1.5 %; one of 60 functions, where they vary by 1 %.
  EXPECT_GE(SimulatedRuns(0.02, 0.015).Found(300, 1.1, 1, "wall time"), 285);
  EXPECT_GE(SimulatedRuns(0.01, 0.02).Found(300, 1, 1.1, "function f1 (a.c)"), 285);
}

// A view's figures: own time at the innermost function, total once for each path, waits by state and region.
TEST(MeasureRun, OfAView) {
  View view;
  view.run.processes.emplace_back().duration_ns = 7 * kMs;
  const auto path = [&](PathId parent, const std::string& name, const std::string& file, uint32_t line) {
    return view.paths.Child(parent, view.frames.AddSynthesized(view.frames.AddFunction({name, "", file, line, 0})));
  };
  const PathId outer = path(kEmptyPath, "f", "/src/a.c", 3);
  const PathId inner = path(outer, "f", "/other/a.c", 9);  // the same function by name and file
  view.samples.push_back({outer, 0, 1, OmptState::kWorkParallel, 0, kNoFunction, {3, 3 * kMs}});
  view.samples.push_back({inner, 0, 1, OmptState::kWorkParallel, 0, kNoFunction, {5, 5 * kMs}});
  WaitTotal wait{};
  wait.state = OmptState::kWaitBarrier;
  wait.total_ns = 100;
  wait.max_ns = 20;
  view.waits.push_back(wait);
  wait.charge = true;
  view.waits.push_back(wait);
  Region region;
  region.construct = view.frames.AddFunction({"f [omp parallel a.c:5]", "", "/src/a.c", 5, 0});
  region.elapsed_ns = 1000;
  region.elapsed_max_ns = 100;
  region.samples = 4;
  region.weight = 4 * kMs;
  view.regions.push_back(region);

  const RunFigures run = MeasureRun(view);
  EXPECT_DOUBLE_EQ(run.wall.value, 7.0 * kMs);
  EXPECT_LT(run.wall.variance, 0);
  EXPECT_DOUBLE_EQ(run.cpu.value, 8.0 * kMs);
  ASSERT_EQ(run.functions.size(), 1u);
  EXPECT_EQ(run.functions[0].file, "a.c");
  EXPECT_EQ(run.functions[0].path, "/src/a.c");
  EXPECT_EQ(run.functions[0].declared, 3u);
  EXPECT_DOUBLE_EQ(run.functions[0].self.value, 8.0 * kMs);
  EXPECT_DOUBLE_EQ(run.functions[0].total.value, 8.0 * kMs);
  EXPECT_DOUBLE_EQ(run.functions[0].total.variance, 8.0 * kMs * kMs);
  ASSERT_EQ(run.states.size(), 2u);
  EXPECT_DOUBLE_EQ(run.states[0].cpu.value + run.states[1].cpu.value, 8.0 * kMs);
  EXPECT_DOUBLE_EQ(run.states[0].wait.value + run.states[1].wait.value, 100);
  ASSERT_EQ(run.regions.size(), 1u);
  EXPECT_EQ(run.regions[0].line, 5u);
  EXPECT_EQ(run.regions[0].path, "/src/a.c");
  EXPECT_DOUBLE_EQ(run.regions[0].elapsed.variance, 1000 * 100);
}

}  // namespace
}  // namespace ompprof::analyze

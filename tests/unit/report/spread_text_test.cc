// Reports of a unified job: the spread of its figures, the members that differ most, their words.
#include "profiler/report/sections/spread.h"

#include <gtest/gtest.h>

#include "nlohmann/json.hpp"
#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/compare/ranks.h"
#include "profiler/analyze/compare/run_figures.h"
#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::report {
namespace {

using analyze::FigureKind;
using analyze::FigureMetric;

constexpr uint64_t kSecond = 1000000000;

// A job of 1,000 processes of two threads, 10 s each and 12 s the longest, where rank 7 is late in `solve`.
class UnifiedJob : public ::testing::Test {
 protected:
  UnifiedJob() {
    analyze::ProcessFacts& process = made_up_.process();
    process.program = "/bin/solver";
    process.members = 1000;
    process.duration_ns = 12 * kSecond;
    process.member_durations_ns = 10000 * kSecond;
    AddFigure(FigureKind::kRun, FigureMetric::kElapsed, "", 10000 * kSecond, 12 * kSecond);
    AddFigure(FigureKind::kRegion, FigureMetric::kWork, "solve [omp parallel solve.c:12]", 4000 * kSecond, 6 * kSecond);
    AddFigure(FigureKind::kFunction, FigureMetric::kSampledSelf, "kernel(double*)", 3000 * kSecond, 5 * kSecond);
    AddFigure(FigureKind::kPath, FigureMetric::kSampled, "main", 9000 * kSecond, 9 * kSecond);
    AddFigure(FigureKind::kState, FigureMetric::kWait, "ompt_state_wait_barrier_explicit", 500 * kSecond, kSecond);
    made_up_.view.job_figures.push_back({});  // too small for a histogram
    for (uint32_t rank = 0; rank < 3; ++rank) {
      analyze::JobMember& member = made_up_.view.job_members.emplace_back();
      member.rank = std::to_string(rank + 6);
      member.pid = 100 + rank;
      member.host = "node1";
      member.threads = 2;
      member.duration_ns = 10 * kSecond;
      member.useful = (rank == 1 ? 6 : 3) * kSecond;
      member.useful_max = member.useful / 2;
      member.mpi = rank * kSecond;
      member.kept = rank == 1;
      member.deviation = rank == 1 ? 0.5 : 0.01;
      member.reason = "2 s more than the mean (4 s) in solve";
    }
  }

  void AddFigure(FigureKind kind, FigureMetric metric, const std::string& name, uint64_t sum, uint64_t most) {
    analyze::JobFigure figure;
    figure.kind = kind;
    figure.metric = metric;
    figure.name = name;
    figure.file = kind == FigureKind::kRegion ? "solve.c" : kind == FigureKind::kFunction ? name + ".c" : "";
    figure.sum = sum;
    figure.mean = static_cast<double>(sum) / 1000;
    figure.max = most;
    figure.min = kSecond / 2;
    figure.deviation = 1e8;
    figure.members = 1000;
    figure.min_member = "3";
    figure.max_member = "7";
    figure.histogram = {{kSecond / 2, 999}, {6 * kSecond, 1}};
    made_up_.view.job_figures.push_back(figure);
  }

  test::MadeUpView made_up_;
};

TEST_F(UnifiedJob, HasATableOfFiguresAndOutliers) {
  const std::string text = SpreadText(made_up_.view, {});
  EXPECT_NE(text.find("Spread over 1,000 processes"), std::string::npos) << text;
  for (const char* row :
       {"10.00 s  100.00 ms  500.00 ms  3     12.00 s  7           20.0 %  1,000  wall     the process",
        "4.00 s  100.00 ms  500.00 ms  3      6.00 s  7           50.0 %  1,000  useful   solve [omp parallel",
        "1,000  CPU      kernel\n",
        "500.00 ms  100.00 ms  500.00 ms  3      1.00 s  7          100.0 %  1,000  waiting  explicit barrier"}) {
    EXPECT_NE(text.find(row), std::string::npos) << row << "\n" << text;
  }
  EXPECT_EQ(text.find("CPU with calls"), std::string::npos) << "paths are for programs: " << text;
  EXPECT_NE(text.find("  rank 7, distance 50.0 %: 2 s more than the mean (4 s) in solve\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("rank 6, distance"), std::string::npos) << text;
}

TEST_F(UnifiedJob, HasNoTableWithoutAJob) { EXPECT_EQ(SpreadText(test::MadeUpView().view, {}), ""); }

TEST_F(UnifiedJob, IsInJson) {
  JsonText json;
  json.BeginObject();
  SpreadJson(made_up_.view, &json);
  json.EndObject();
  const nlohmann::json spread = nlohmann::json::parse(json.text())["spread"];
  ASSERT_EQ(spread.size(), 5u);
  EXPECT_EQ(spread[1]["kind"], "region");
  EXPECT_EQ(spread[1]["metric"], "work");
  EXPECT_EQ(spread[1]["sum"], 4000 * kSecond);
  EXPECT_EQ(spread[1]["mean"], 4e9);
  EXPECT_EQ(spread[1]["max_rank"], "7");
  EXPECT_EQ(spread[1]["imbalance"], 0.5);
  EXPECT_EQ(spread[1]["histogram"], nlohmann::json::parse("[[500000000,999],[6000000000,1]]"));
}

TEST_F(UnifiedJob, HasRanksAndLateRegions) {
  analyze::Region& region = made_up_.view.regions.emplace_back();
  region.construct = made_up_.view.frames.AddFunction({"solve [omp parallel solve.c:12]", "", "solve.c", 12, 0});
  const analyze::Ranks ranks = analyze::CompareRanks(made_up_.view, analyze::MeasureMpi(made_up_.view));
  ASSERT_EQ(ranks.ranks.size(), 3u);
  EXPECT_EQ(ranks.ranks[1].rank, "7");
  EXPECT_EQ(ranks.jobs[0].count, 3u);
  ASSERT_EQ(ranks.regions.size(), 1u);
  EXPECT_EQ(ranks.regions[0].late, 1u);
  EXPECT_EQ(ranks.regions[0].late_useful, 6 * kSecond);
  EXPECT_EQ(ranks.regions[0].others_mpi, 2 * kSecond);
  EXPECT_EQ(ranks.regions[0].most_mpi, 2u);
}

// The members' threads fill the wall time of the job as the threads of as many processes would.
TEST_F(UnifiedJob, HasTheEfficiencyOfItsMembers) {
  analyze::ProcessFacts& process = made_up_.process();
  process.runtimes.emplace_back();
  process.parallel_ns = 8000 * kSecond;
  process.serial_ns = 2000 * kSecond;
  for (uint32_t id = 1; id <= 2; ++id) {
    analyze::ThreadFacts& thread = process.threads.emplace_back();
    thread.id = id;
    thread.kind = id == 1 ? analyze::ThreadKind::kInitial : analyze::ThreadKind::kWorker;
    thread.lifetime_ns = thread.cpu_ns = 10000 * kSecond;
  }
  const analyze::Efficiency efficiency = analyze::MeasureEfficiency(made_up_.view, analyze::MeasureMpi(made_up_.view));
  EXPECT_EQ(efficiency.threads, 2000u);
  EXPECT_EQ(efficiency.duration_ns, 12 * kSecond);
  EXPECT_EQ(efficiency.useful_ns, 20000 * kSecond);
  EXPECT_EQ(efficiency.idle_ns, 4000 * kSecond) << "of 2,000 threads, for 2 s each";
  EXPECT_NEAR(efficiency.parallel(), 10.0 / 12, 1e-9);
  EXPECT_NEAR(efficiency.serial_fraction(), 0.2, 1e-9);
}

TEST_F(UnifiedJob, VariesAsItsRanksDo) {
  made_up_.Add({{"main", "kernel(double*)"}, 3000, 3000 * kSecond});
  for (const analyze::FunctionFigures& function : analyze::MeasureRun(made_up_.view).functions) {
    if (function.name != "kernel(double*)") continue;
    EXPECT_EQ(function.self.value, 3e12);
    EXPECT_EQ(function.self.variance, 1000 * 1e8 * 1e8);
    return;
  }
  ADD_FAILURE() << "no such function";
}

}  // namespace
}  // namespace ompprof::report

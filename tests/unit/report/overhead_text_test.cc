// The reports' text about the profiler's own time, and the share at which they warn.
#include "profiler/report/sections/overhead.h"

#include <gtest/gtest.h>

#include "profiler/analyze/advice/answers.h"
#include "profiler/report/whole/json_report.h"
#include "profiler/report/whole/text_report.h"
#include "tests/unit/analyze/made_up_view.h"

namespace ompprof::report {
namespace {

// 1,000 us sampled, of which that many in the profiler's code.
struct Sampled : test::MadeUpView {
  explicit Sampled(uint64_t own_us, uint64_t samples_per_us = 1000) {
    process().runtimes.emplace_back();
    process().sampling.max_overhead_permille = 5;
    Add({.path = {"main"}, .samples = (1000 - own_us) * samples_per_us, .weight = 1000000 - own_us * 1000});
    Add({.path = {"main", "<ompprof>"}, .samples = own_us * samples_per_us, .weight = own_us * 1000});
    view.own_weight = own_us * 1000;
  }

  std::string Text() {
    TextOptions options;
    options.full = true;
    return TextReport(view, analyze::Summarize(view), model::Symbolizer(), options);
  }
  std::string Json() { return JsonReport(view, analyze::Summarize(view), model::Symbolizer()); }
};

TEST(OverheadText, IsSaidAlways) {
  EXPECT_EQ(OwnText(Sampled(8).view), "ompprof itself: 0.8 % of the CPU time");
  EXPECT_EQ(OwnText(Sampled(0).view), "ompprof itself: 0.0 % of the CPU time");
  EXPECT_NE(Sampled(8).Text().find("ompprof itself: 0.8 % of the CPU time\n"), std::string::npos) << Sampled(8).Text();
  Sampled events(8);
  events.process().sampling.weight_unit = "events";
  events.process().sampling.clock = "cache-misses";
  EXPECT_EQ(OwnText(events.view), "ompprof itself: 0.8 % of the cache-misses");
}

TEST(OverheadText, HasWhatNoSampleShows) {
  Sampled sampled(8);
  sampled.process().unsampled_own_ns = 5000;
  EXPECT_EQ(OwnText(sampled.view), "ompprof itself: 1.3 % of the CPU time");
  sampled.process().sampling.weight_unit = "events";
  sampled.process().sampling.clock = "cache-misses";
  EXPECT_EQ(OwnText(sampled.view), "ompprof itself: 0.8 % of the cache-misses");
}

TEST(OverheadText, HasTheRuntimesPart) {
  Sampled sampled(8);
  sampled.process().runtime_own_ns = 7000;
  EXPECT_EQ(OwnText(sampled.view), "ompprof itself: 1.5 % of the CPU time");
  sampled.view.selection.thread = 1;
  EXPECT_EQ(OwnText(sampled.view), "ompprof itself: 0.8 % of the CPU time");
}

// Threads that block the signal have no samples.
TEST(OverheadText, IsAPartOfTheCpuTime) {
  Sampled sampled(0);
  sampled.process().unsampled_own_ns = 2000000;
  sampled.process().cpu_ns = 100000000;
  EXPECT_EQ(OwnText(sampled.view), "ompprof itself: 2.0 % of the CPU time");
  EXPECT_EQ(OwnWarning(sampled.view), "");
}

// The profiler's own thread may use more than a short program does, and its time is the process's too.
TEST(OverheadText, IsNeverMoreThanTheCpuTime) {
  Sampled sampled(0);
  sampled.process().cpu_ns = 1000000;
  sampled.process().helper_cpu_ns = 3000000;
  sampled.process().unsampled_own_ns = 3000000;
  EXPECT_EQ(OwnText(sampled.view), "ompprof itself: 75.0 % of the CPU time");
  sampled.process().helper_cpu_ns = 0;
  EXPECT_EQ(OwnText(sampled.view), "ompprof itself: 100.0 % of the CPU time");
}

TEST(OverheadText, WarnsAboveFivePercent) {
  EXPECT_EQ(OwnWarning(Sampled(50).view), "");
  EXPECT_EQ(Sampled(50).Text().find("--waits=off"), std::string::npos);
  EXPECT_NE(OwnWarning(Sampled(51).view), "");
  EXPECT_NE(Sampled(51).Text().find("--waits=off"), std::string::npos);
}

TEST(OverheadText, AdvisesOnlyWhatHelps) {
  const std::string begin = "ompprof itself: 50.0 % of the CPU time, which makes the run longer; ";
  Sampled events(500);
  EXPECT_EQ(OwnWarning(events.view), begin +
                                         "the program's OpenMP events take most of this, and record --waits=off does "
                                         "not measure them");
  events.process().sampling.max_overhead_permille = 0;
  EXPECT_EQ(OwnWarning(events.view), begin +
                                         "the program's OpenMP events take most of this, and record without "
                                         "--max-overhead=0 measures fewer");
  events.process().sampling.no_waits = true;
  EXPECT_EQ(OwnWarning(events.view),
            begin + "its work in the program's calls takes most of this, and no option takes less");

  Sampled signals(200);
  signals.process().unsampled_own_ns = 300000;
  EXPECT_EQ(OwnWarning(signals.view), begin + "the samples take most of this, and a lower -F takes fewer");
  signals.process().helper_cpu_ns = 250000;
  EXPECT_NE(OwnWarning(signals.view).find("ompprof's own thread, which writes the profile, takes most of this."),
            std::string::npos)
      << OwnWarning(signals.view);
}

TEST(OverheadText, WarnsOfNoChance) {
  EXPECT_EQ(OwnWarning(Sampled(60, 1).view), "") << "6.0 % of 1,000 samples is right within 1.5 points";
  EXPECT_NE(OwnWarning(Sampled(80, 1).view), "");
}

TEST(OverheadText, Json) {
  const std::string json = Sampled(8).Json();
  EXPECT_NE(json.find("\"overhead\": {\n    \"budget_percent\": 0.5,\n    \"collector_percent\": 0.8"),
            std::string::npos)
      << json;
  EXPECT_EQ(json.find("ompprof itself"), std::string::npos);
  EXPECT_NE(Sampled(60).Json().find("ompprof itself: 6.0 % of the CPU time"), std::string::npos);
}

// The profiler's time without samples is known of the whole run only.
TEST(OverheadText, OfAPartOfTheRunIsWhatItsSamplesSay) {
  Sampled run(100);
  run.process().unsampled_own_ns = 500000;
  EXPECT_DOUBLE_EQ(OwnPercent(run.view), 60);
  EXPECT_NE(OwnWarning(run.view), "");
  run.view.selection.thread = 1;
  EXPECT_DOUBLE_EQ(OwnPercent(run.view), 10);
  EXPECT_EQ(OwnWarning(run.view), "");
  EXPECT_EQ(run.Json().find("unsampled_ns"), std::string::npos);
}

}  // namespace
}  // namespace ompprof::report

// The reasons for which a profile has no samples.
#include "profiler/report/sections/no_samples.h"

#include <gtest/gtest.h>

#include "profiler/analyze/advice/answers.h"
#include "profiler/report/whole/json_report.h"
#include "profiler/report/whole/text_report.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::report {
namespace {

constexpr uint64_t kPeriodNs = 5025125;

// Two threads without samples: 10 s of wall time, all of it on a processor.
struct Unsampled : test::MadeUpRun {
  Unsampled() : MadeUpRun(2, 10 * test::kSecond) {
    process().sampling.clock = "cpu";
    process().sampling.period = kPeriodNs;
    process().cpu_ns = 20 * test::kSecond;
    process().end_reason = "exit";
  }

  std::string Why() { return NoSamplesText(view.run); }
};

TEST(NoSamplesText, OnlyOfAProfileWithoutSamples) {
  Unsampled run;
  run.process().samples = 1;
  EXPECT_EQ(run.Why(), "");
}

TEST(NoSamplesText, AShortRun) {
  Unsampled run;
  run.process().duration_ns = run.process().cpu_ns = 2000000;
  for (analyze::ThreadFacts& thread : run.process().threads) thread.cpu_ns = 1200000;
  EXPECT_EQ(run.Why(),
            "no samples: the busiest thread used 1.20 ms of CPU time, and a thread is sampled every 5.03 ms of its CPU "
            "time; a higher rate takes more samples, as in `ompprof record -F 10000`");
  run.process().sampling.clock = "wall";
  EXPECT_EQ(run.Why(),
            "no samples: the run took 2.00 ms, and a sample is taken every 5.03 ms; a higher rate takes more samples, "
            "as in `ompprof record -F 10000`");
}

TEST(NoSamplesText, ASleeper) {
  Unsampled run;
  run.process().cpu_ns = 3000000;
  EXPECT_EQ(run.Why(),
            "no samples: the program slept: it used 3.00 ms of CPU time in 10.00 s; `ompprof record --clock=wall` "
            "samples sleeping threads too");
}

TEST(NoSamplesText, AWaiterForOtherPrograms) {
  Unsampled run;
  run.process().cpu_ns = 3000000;
  run.process().children_cpu_ns = 10 * test::kSecond;
  EXPECT_EQ(run.Why(), "no samples: the program waited for others");
}

TEST(NoSamplesText, SettingsThatKeepSamplesAway) {
  Unsampled run;
  run.process().sampling.paused = true;
  EXPECT_EQ(run.Why().rfind("no samples: the program was recorded with --paused", 0), 0u) << run.Why();
  run.process().sampling.paused = false;
  run.process().sampling.delay_ns = 100 * test::kSecond;
  EXPECT_EQ(run.Why(),
            "no samples: the program ended after 10.00 s, and sampling was to start after 100.00 s (--delay)");
}

TEST(NoSamplesText, OtherReasons) {
  Unsampled run;
  EXPECT_EQ(run.Why(),
            "no samples: the sampling signal reached no thread of the program; another signal may, as in `ompprof "
            "record --signal=RTMIN+3`");
  run.process().end_reason = "exec";
  EXPECT_EQ(run.Why(),
            "no samples: the process became another program by exec, and that program has no profile in this folder");
  run.process().successor = "solve.1.ompprof";
  EXPECT_EQ(run.Why(),
            "no samples: the process became another program by exec, and that program has a profile of its own, "
            "solve.1.ompprof");
  run.process().end_reason = "exit";
  run.process().sampling.clock = "page-faults";
  run.process().sampling.weight_unit = "events";
  run.process().sampling.period = 100;
  EXPECT_EQ(run.Why(), "no samples: no thread counted 100 page-faults, the distance between two samples");
  run.process().losses.push_back({.reason = 1, .samples = 12});
  EXPECT_EQ(run.Why(), "no samples: all 12 samples were lost");
}

TEST(NoSamplesText, ReportsSayIt) {
  Unsampled run;
  const analyze::Summary summary = analyze::Summarize(run.view);
  TextOptions options;
  options.full = true;
  const std::string text = TextReport(run.view, summary, model::Symbolizer(), options);
  EXPECT_NE(text.find("  note      no samples: "), std::string::npos) << text;
  EXPECT_EQ(text.find("Hottest functions"), std::string::npos) << "a table without rows: " << text;
  EXPECT_NE(JsonReport(run.view, summary, model::Symbolizer()).find("\"no samples: "), std::string::npos);
}

}  // namespace
}  // namespace ompprof::report

// CPU time without samples is told, with the threads that it belongs to.
#include "profiler/report/sections/no_samples.h"

#include <gtest/gtest.h>

#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::report {
namespace {

// Two threads of 10 s each. The first has samples for 10 s.
struct MadeUp : test::MadeUpRun {
  MadeUp() : MadeUpRun(2, 10 * test::kSecond) {
    process().sampling.clock = "cpu";
    process().sampling.period = 5000000;
    process().cpu_ns = 20 * test::kSecond;
    AddSample(1, 10 * test::kSecond);
  }

  void AddSample(uint32_t thread, uint64_t weight) {
    analyze::ViewSample& sample = view.samples.emplace_back();
    sample.thread = thread;
    sample.cost.Add(100, weight);
  }

  std::vector<std::string> Texts() { return UnsampledTexts(view, analyze::Summarize(view)); }
};

TEST(UnsampledText, NothingIsMissing) {
  MadeUp run;
  run.AddSample(2, 9200000000);
  EXPECT_TRUE(run.Texts().empty()) << run.Texts()[0];
}

TEST(UnsampledText, AThreadWithoutSamples) {
  MadeUp run;
  run.process().threads[1].name = "worker";
  ASSERT_EQ(run.Texts().size(), 1u);
  EXPECT_EQ(run.Texts()[0], "10.00 s of 20.00 s of CPU time (50.0 %) is in no sample: 10.00 s of thread 2 (worker)");
}

TEST(UnsampledText, ThreadsThatWereNotSeen) {
  MadeUp run;
  run.AddSample(2, 10 * test::kSecond);
  run.process().cpu_ns = 40 * test::kSecond;
  ASSERT_EQ(run.Texts().size(), 1u);
  EXPECT_EQ(run.Texts()[0].find("20.00 s of 40.00 s of CPU time (50.0 %) is in no sample: 20.00 s of threads that "
                                "ompprof saw late or never"),
            0u)
      << run.Texts()[0];
}

TEST(UnsampledText, MoreSamplesThanCpuTime) {
  MadeUp run;
  run.AddSample(2, 20 * test::kSecond);
  ASSERT_EQ(run.Texts().size(), 1u);
  EXPECT_EQ(run.Texts()[0],
            "the samples stand for 30.00 s, but the process used 20.00 s of CPU time: one of the two is wrong");
}

TEST(UnsampledText, ProgramsWithoutAProfile) {
  MadeUp run;
  run.AddSample(2, 10 * test::kSecond);
  run.process().children_cpu_ns = 2 * test::kSecond;
  EXPECT_TRUE(run.Texts().empty()) << run.Texts()[0];  // a small part
  run.process().children_cpu_ns = 7 * test::kSecond;
  ASSERT_EQ(run.Texts().size(), 1u);
  EXPECT_EQ(run.Texts()[0],
            "programs that were started by this one used 7.00 s of CPU time, which is in no profile that is read here");
}

TEST(UnsampledText, NotOfProcessesThatAreSampledForAPart) {
  MadeUp run;
  run.process().sampling.paused = true;
  EXPECT_TRUE(run.Texts().empty());
  run.process().sampling.paused = false;
  run.process().sampling.clock = "wall";
  EXPECT_TRUE(run.Texts().empty());
}

}  // namespace
}  // namespace ompprof::report

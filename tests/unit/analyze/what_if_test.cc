// Predictions of another schedule, lock or number of threads: known answers from made-up regions and waits, with their
// errors.
#include "profiler/analyze/account/what_if.h"

#include <gtest/gtest.h>

#include "proto/ompt_state.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::analyze {
namespace {

using test::kSecond;
using test::MadeUpRun;

constexpr uint64_t kMillisecond = 1000000;

TEST(WhatIf, Balanced) {
  MadeUpRun run(2, 10 * kSecond);
  const Region& region = run.AddRegion("solve", 1, 8 * kSecond, 12 * kSecond, 8 * kSecond, 4 * kSecond);
  const Prediction prediction = WhatIf(run.view, run.Measure()).Balanced(region);
  EXPECT_EQ(prediction.before_ns, 10 * kSecond);
  EXPECT_EQ(prediction.after_ns, 8 * kSecond);
}

TEST(WhatIf, DynamicCostsItsChunks) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 8 * kSecond, 12 * kSecond, 8 * kSecond, 4 * kSecond);
  region.loops.push_back({1, {}, 2, 2 * 12000, 0});
  const WhatIf what_if(run.view, run.Measure());
  // 120 chunks of a tenth of a second. Threads wait for half a chunk at the end.
  EXPECT_NEAR(static_cast<double>(what_if.Dynamic(region, 100).after_ns), 8.05e9, 1e7);
  // 12,000 chunks cost 0.6 ms in each thread.
  EXPECT_NEAR(static_cast<double>(what_if.Dynamic(region, 1).after_ns), 8.0011e9, 1e6);
}

TEST(WhatIf, WithoutALock) {
  MadeUpRun run(2, 10 * kSecond);
  const Region& region = run.AddRegion("solve", 1, 9 * kSecond, 12 * kSecond, 6 * kSecond, 0);
  run.AddWait(1, OmptState::kWaitLock, 2 * kSecond, 10, region.construct, 7);
  run.AddWait(2, OmptState::kWaitLock, 2 * kSecond, 10, region.construct, 7);
  run.AddWait(2, OmptState::kWaitLock, 1 * kSecond, 10, region.construct, 8);
  const WhatIf what_if(run.view, run.Measure());
  EXPECT_EQ(what_if.WithoutLock([](const WaitTotal& wait) { return wait.wait_id == 7; }).after_ns, 8 * kSecond);
  EXPECT_EQ(what_if.WithoutLock([](const WaitTotal& wait) { return wait.wait_id == 8; }).after_ns, 9500 * kMillisecond);
  EXPECT_EQ(what_if.WithoutLock([](const WaitTotal&) { return false; }).after_ns, 10 * kSecond);
}

TEST(WhatIf, OtherTeamsAreRefusedWhereRegionsWaitForDevices) {
  MadeUpRun run(2, 10 * kSecond);
  run.AddRegion("solve", 1, 8 * kSecond, 12 * kSecond, 8 * kSecond, 4 * kSecond);
  DeviceWorkTotal kernels{};
  kernels.device = 1;
  kernels.work = DeviceWork::kKernel;
  kernels.waited_ns = 5 * kSecond;
  run.view.device_work.push_back(kernels);
  EXPECT_EQ(WhatIf(run.view, run.Measure()).WithThreadsRefusal(2, 0), "");
  run.view.device_work[0].in_regions_ns = 5 * kSecond;
  EXPECT_NE(WhatIf(run.view, run.Measure()).WithThreadsRefusal(2, 0).find("wait for devices"), std::string::npos);
}

TEST(WhatIf, WithMoreThreads) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 8 * kSecond, 16 * kSecond, 8 * kSecond, 0);
  region.work_weight = 0;  // the thread sleeps: more processors would not help
  const WhatIf what_if(run.view, run.Measure());
  EXPECT_EQ(what_if.WithThreads(4).after_ns, 6 * kSecond);
  EXPECT_EQ(what_if.WithThreads(2).after_ns, 10 * kSecond);
  EXPECT_EQ(what_if.WithThreads(1).after_ns, 18 * kSecond);
}

// Two threads of the program, each with teams of one, compute all the time on two processors: a full machine.
TEST(WhatIf, TeamsSideBySideShareTheProcessors) {
  MadeUpRun run(1, 10 * kSecond);
  run.process().machine.cpus = 2;
  run.AddRegion("solve", 2, 20 * kSecond, 20 * kSecond, 20 * kSecond, 0);
  EXPECT_EQ(WhatIf(run.view, run.Measure()).WithThreads(2).after_ns, 10 * kSecond);
  run.process().machine.cpus = 4;
  EXPECT_EQ(WhatIf(run.view, run.Measure()).WithThreads(2).after_ns, 5 * kSecond);
}

TEST(WhatIf, OneThreadWaitsForNobody) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 9 * kSecond, 12 * kSecond, 7 * kSecond, 2 * kSecond);
  region.lock_wait_ns = 4 * kSecond;
  EXPECT_EQ(WhatIf(run.view, run.Measure()).WithThreads(1).after_ns, 13 * kSecond);
  EXPECT_EQ(WhatIf(run.view, run.Measure()).WithThreads(2).after_ns, 10 * kSecond);
}

TEST(WhatIf, MoreThreadsThanProcessorsGainNothing) {
  MadeUpRun run(2, 10 * kSecond);
  run.AddRegion("solve", 1, 8 * kSecond, 16 * kSecond, 8 * kSecond, 0);
  const WhatIf what_if(run.view, run.Measure());
  EXPECT_EQ(what_if.WithThreads(4).after_ns, 10 * kSecond);
  EXPECT_EQ(what_if.WithThreads(4).assumptions.size(), 2u);
}

// An estimate that is off by that much with 95 % confidence.
Estimate OffBy(uint64_t ns) {
  const double us = static_cast<double>(ns) / 1000 / 1.96;
  return {kSecond, us * us};
}

double Ci95(const Prediction& prediction) { return static_cast<double>(prediction.estimate.ci95_ns()); }

TEST(WhatIf, WhatIsExactHasNoError) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 8 * kSecond, 12 * kSecond, 8 * kSecond, 4 * kSecond);
  region.loops.push_back({1, {}, 2, 2 * 12000, 0});
  run.AddWait(1, OmptState::kWaitLock, 2 * kSecond, 10, region.construct, 7);
  const WhatIf what_if(run.view, run.Measure());
  for (const Prediction& prediction : {what_if.Balanced(region), what_if.Dynamic(region, 100), what_if.WithThreads(4),
                                       what_if.WithoutLock([](const WaitTotal&) { return true; })}) {
    EXPECT_FALSE(prediction.estimate.any());
    EXPECT_TRUE(prediction.error_known);
  }
}

// Two threads wait 0.4 s, more or less. Half of that error is the prediction's error.
TEST(WhatIf, ErrorOfBalancing) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 8 * kSecond, 12 * kSecond, 8 * kSecond, 3 * kSecond);
  region.end_wait_estimate = OffBy(400 * kMillisecond);
  const WhatIf what_if(run.view, run.Measure());
  EXPECT_EQ(what_if.Balanced(region).after_ns, 8500 * kMillisecond);
  EXPECT_NEAR(Ci95(what_if.Balanced(region)), 0.2e9, 1e5);
  EXPECT_TRUE(what_if.Balanced(region).error_known);
  // Threads wait for half a chunk as well. Its length is a part of the useful time: a 240th of that time's error.
  region.loops.push_back({1, {}, 2, 2 * 12000, 0});
  EXPECT_NEAR(Ci95(what_if.Dynamic(region, 100)), 0.2e9 + 0.4e9 / 240, 1e5);
}

// A lock's waits of 2 s are 0.2 s off: a tenth of a second of two threads' time.
TEST(WhatIf, ErrorOfALock) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 9 * kSecond, 12 * kSecond, 6 * kSecond, 0);
  run.AddWait(1, OmptState::kWaitLock, 2 * kSecond, 10, region.construct, 7);
  run.AddWait(2, OmptState::kWaitLock, kSecond, 10, region.construct, 8);
  run.view.waits[0].estimate = OffBy(200 * kMillisecond);
  const auto of_lock = [&](uint64_t id) {
    return WhatIf(run.view, run.Measure()).WithoutLock([id](const WaitTotal& wait) { return wait.wait_id == id; });
  };
  EXPECT_NEAR(Ci95(of_lock(7)), 0.1e9, 1e5);
  EXPECT_TRUE(of_lock(7).error_known);
  EXPECT_FALSE(of_lock(8).estimate.any()) << "that lock's waits are exact";
  // The gain is bounded by the busiest thread's time, which remains without its waits.
  region.lock_wait_estimate = OffBy(200 * kMillisecond);
  region.useful_max_ns = 8 * kSecond;
  EXPECT_TRUE(of_lock(7).estimate.any());
  EXPECT_FALSE(of_lock(7).error_known);
}

TEST(WhatIf, MoreThreadsThanProcessors) {
  MadeUpRun run(2, 10 * kSecond);
  run.AddRegion("solve", 1, 8 * kSecond, 16 * kSecond, 8 * kSecond, 0).work_weight = 16 * kSecond;
  const WhatIf what_if(run.view, run.Measure());
  EXPECT_NE(what_if.WithThreadsRefusal(8, 0).find("the run's threads could use 2 processors"), std::string::npos);
  EXPECT_NE(what_if.WithThreadsRefusal(8, 4).find("with 4 processors"), std::string::npos);
  EXPECT_EQ(what_if.WithThreadsRefusal(8, 8), "");
  EXPECT_EQ(what_if.WithThreadsRefusal(1, 0), "");
  // 16 s of work on 8 processors, and 2 s outside.
  EXPECT_EQ(what_if.WithThreads(8, 8).after_ns, 4 * kSecond);
}

// Threads lacked processors, and waited at barriers for threads that did not run. Their work is nearly equal.
TEST(WhatIf, EqualWorkOfThreadsThatLackedProcessors) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 10 * kSecond, 8 * kSecond, 5 * kSecond, 8 * kSecond);
  region.cpu_imbalance = 0.05;
  region.thread_work = {{0, 1, 4200 * 1000000ull, 1000000, 4200 * 1000000ull}, {0, 2, 3800 * 1000000ull, 1000000}};
  const Prediction prediction = WhatIf(run.view, run.Measure()).Balanced(region);
  EXPECT_NEAR(static_cast<double>(prediction.after_ns), 9.8e9, 1e7);
}

TEST(WhatIf, ErrorOfOtherTeamsIsNotKnown) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 8 * kSecond, 16 * kSecond, 8 * kSecond, 0);
  region.estimated = 1;
  const Prediction prediction = WhatIf(run.view, run.Measure()).WithThreads(4);
  EXPECT_TRUE(prediction.estimate.any());
  EXPECT_FALSE(prediction.error_known);
}

}  // namespace
}  // namespace ompprof::analyze

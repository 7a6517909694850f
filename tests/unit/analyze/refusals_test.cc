// Every worthwhile potential gain of a region is advised on or refused, with the reason. Many small losses get advice
// on all regions together.
#include <gtest/gtest.h>

#include "profiler/analyze/advice/advise.h"
#include "proto/ompt_state.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::analyze {
namespace {

using test::kSecond;
using test::MadeUpRun;

constexpr uint64_t kMillisecond = 1000000;

Findings FindingsOn(MadeUpRun& run) { return Advise(run.view, run.Measure()); }

// "reason of cause in where", of all refusals.
std::string Refused(MadeUpRun& run) {
  std::string text;
  for (const Refusal& refusal : FindingsOn(run).refusals) {
    const std::string where =
        refusal.region == kNoFunction ? "all" : run.view.frames.function(refusal.region).name.substr(0, 5);
    text += (text.empty() ? "" : ", ") + std::string(RefusalName(refusal.reason)) + " of " + CauseName(refusal.cause) +
            " in " + where;
  }
  return text;
}

std::string Advised(MadeUpRun& run) {
  std::string names;
  for (const Advice& advice : FindingsOn(run).advice)
    names += (names.empty() ? "" : " ") + std::string(AdviceName(advice.kind));
  return names;
}

void AddBarrierWaits(MadeUpRun* run, const Region& region, std::vector<uint64_t> waits_ns) {
  for (size_t i = 0; i < waits_ns.size(); ++i) {
    run->AddWait(static_cast<uint32_t>(i + 1), OmptState::kWaitBarrierImplicitParallel, waits_ns[i], region.ended,
                 region.construct);
  }
}

TEST(Refusals, NoneWithoutAPossibleSaving) {
  MadeUpRun run(2, 10 * kSecond);
  run.AddRegion("solve", 100, 9900 * kMillisecond, 19700 * kMillisecond, 9880 * kMillisecond, 100 * kMillisecond);
  EXPECT_EQ(Refused(run), "");
}

TEST(Refusals, ADifferentThreadIsLateEachTime) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1000, 10 * kSecond, 16 * kSecond, 10 * kSecond, 4 * kSecond);
  region.work_weight = 0;
  AddBarrierWaits(&run, region, {1900 * kMillisecond, 2100 * kMillisecond});
  EXPECT_EQ(Refused(run), "others-are-late of imbalance in solve");
  EXPECT_EQ(FindingsOn(run).refusals[0].gain_ns, 2 * kSecond);
}

TEST(Refusals, TheWorkIsEven) {
  MadeUpRun run(2, 10 * kSecond);
  run.AddRegion("solve", 2, 9 * kSecond, 16 * kSecond, 9 * kSecond, 2 * kSecond).work_weight = 14 * kSecond;
  run.view.regions[0].thread_work = {{0, 1, 7 * kSecond, 1400}, {0, 2, 7 * kSecond, 1400}};
  EXPECT_EQ(Refused(run), "even-work of imbalance in solve");
}

TEST(Refusals, ManyLocks) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 10 * kSecond, 12 * kSecond, 6 * kSecond, 0);
  region.lock_wait_ns = 8 * kSecond;
  for (uint64_t lock = 1; lock <= 40; ++lock)
    run.AddWait(1, OmptState::kWaitLock, 200 * kMillisecond, 1000, region.construct, lock);
  EXPECT_EQ(Advised(run), "");
  EXPECT_EQ(Refused(run), "many-locks of serialization in solve");
  EXPECT_EQ(FindingsOn(run).refusals[0].count, 40u);
  // One lock has half of the waits: the rest is still refused.
  run.AddWait(2, OmptState::kWaitLock, 4 * kSecond, 1000, region.construct, 99);
  run.view.waits.erase(run.view.waits.begin(), run.view.waits.begin() + 20);
  EXPECT_EQ(Advised(run), "long-held-lock");
  EXPECT_EQ(Refused(run), "many-locks of serialization in solve");
  EXPECT_EQ(FindingsOn(run).refusals[0].count, 20u);
  EXPECT_EQ(FindingsOn(run).refusals[0].gain_ns, 2 * kSecond);
}

TEST(Refusals, NoTaskIsReady) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 10 * kSecond, 14 * kSecond, 10 * kSecond, 0);
  region.task_wait_ns = 6 * kSecond;
  EXPECT_EQ(Refused(run), "no-task-is-ready of task_wait in solve");
}

TEST(Refusals, CausesThatAreWorthwhileTogether) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 10, 10 * kSecond, 19 * kSecond, 9600 * kMillisecond, 500 * kMillisecond);
  region.work_weight = 0;
  region.lock_wait_ns = 500 * kMillisecond;
  region.overhead_weight[static_cast<int>(Overhead::kForkJoin)] = 300 * kMillisecond;
  EXPECT_EQ(Advised(run), "");
  EXPECT_EQ(Refused(run), "small-causes of imbalance in solve");
}

// 40 regions of 250 ms each, 1,000 times a quarter of a millisecond. They lose 40 ms of wall time each.
class SmallRegions : public ::testing::Test {
 protected:
  explicit SmallRegions(uint64_t least_wait_ns = 70 * kMillisecond) {
    for (int i = 0; i < 40; ++i) {
      run_.AddRegion("r" + std::to_string(100 + i), 1000, 250 * kMillisecond, 420 * kMillisecond, 230 * kMillisecond,
                     80 * kMillisecond);
      run_.view.regions.back().work_weight = 0;
    }
    for (const Region& region : run_.view.regions) {
      const uint64_t other = 80 * kMillisecond - least_wait_ns / 2;
      AddBarrierWaits(&run_, region, {least_wait_ns / 2, other});
    }
  }

  MadeUpRun run_{2, 10 * kSecond};
};

TEST_F(SmallRegions, AreFusedIfADifferentThreadIsLate) {
  ASSERT_EQ(Advised(run_), "fuse-regions");
  EXPECT_EQ(Refused(run_), "");
  const Advice advice = FindingsOn(run_).advice[0];
  EXPECT_EQ(advice.regions, 40u);
  EXPECT_EQ(advice.count, 40000u);
  EXPECT_EQ(advice.each_ns, 250000u);
  // (1 - 1 / sqrt(40)) x 40 x 40 ms = 1.347 s; the thread that waits least waits for 1.4 s.
  EXPECT_NEAR(static_cast<double>(advice.gain_ns), 1.347e9, 1e6);
}

TEST_F(SmallRegions, AreNotFusedIfTheyAreLong) {
  for (Region& region : run_.view.regions) region.ended = region.invocations = 10;
  EXPECT_EQ(Advised(run_), "");
  EXPECT_EQ(Refused(run_), "small-regions of imbalance in all");
}

class SameThreadIsLate : public SmallRegions {
 protected:
  SameThreadIsLate() : SmallRegions(2 * kMillisecond) {}
};

TEST_F(SameThreadIsLate, SoFusingWouldNotHelp) {
  EXPECT_EQ(Advised(run_), "");
  ASSERT_EQ(Refused(run_), "small-regions of imbalance in all");
  const Refusal refusal = FindingsOn(run_).refusals[0];
  EXPECT_EQ(refusal.count, 40u);
  EXPECT_EQ(refusal.gain_ns, 1600 * kMillisecond);
  EXPECT_EQ(refusal.fused_ns, 40 * kMillisecond) << "the waits of the thread that waits least";
}

TEST(SmallLosses, FewerThreadsWhereMoreCostMoreThanTheySave) {
  MadeUpRun run(8, 10 * kSecond);
  // 1 s of work for all threads together, and 9.6 s in which all wait: 1 ms an instance, so it is not too short.
  Region& region = run.AddRegion("solve", 9900, 9900 * kMillisecond, 1 * kSecond, 200 * kMillisecond, 0);
  region.lock_wait_ns = 77 * kSecond;
  for (uint64_t lock = 1; lock <= 400; ++lock)
    run.AddWait(1 + lock % 8, OmptState::kWaitLock, 192 * kMillisecond, 1000, region.construct, lock);
  ASSERT_EQ(Advised(run), "fewer-threads");
  const Advice advice = FindingsOn(run).advice[0];
  EXPECT_EQ(advice.fewer_threads, 1u);
  EXPECT_NEAR(static_cast<double>(advice.gain_ns), 8.9e9, 0.1e9) << "1 s of work remains, and 0.1 s outside";
}

}  // namespace
}  // namespace ompprof::analyze

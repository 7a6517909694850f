// The division of threads' wall time, and of regions' time: known answers from made-up threads. Each comment has the
// arithmetic.
#include "profiler/analyze/view/thread_account.h"

#include <gtest/gtest.h>

#include "profiler/analyze/builder/account_regions.h"
#include "profiler/analyze/builder/account_threads.h"
#include "profiler/analyze/builder/bound_estimates.h"
#include "proto/ompt_state.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::analyze {
namespace {

using test::kSecond;
using test::MadeUpRun;

class ThreadAccountTest : public ::testing::Test {
 protected:
  ThreadAccountTest() : run_(2, 10 * kSecond) {
    // The first thread works for 3 s, spins for 1 s, sleeps in a wait for 2 s, is ready for 3 s and blocked for 1 s.
    thread_ = &run_.process().threads[0];
    thread_->cpu_ns = 4 * kSecond;
    thread_->ready_ns = 3 * kSecond;
    thread_->ready_of_ns = 10 * kSecond;
    run_.AddWait(1, OmptState::kWaitBarrierImplicit, 3 * kSecond);
    AddSample(OmptState::kWorkParallel, 3);
    AddSample(OmptState::kWaitBarrierImplicit, 1);
  }

  void AddSample(OmptState state, uint64_t seconds) {
    ViewSample sample{};
    sample.thread = 1;
    sample.state = state;
    sample.in_wait = state == OmptState::kWaitBarrierImplicit;
    sample.cost.samples = 100;
    sample.cost.weight = seconds * kSecond;
    run_.view.samples.push_back(sample);
  }

  void Expect(uint64_t on_cpu, uint64_t wait, uint64_t ready, uint64_t blocked) {
    const ThreadAccount account = AccountThreads(run_.view).at({0, 1});
    EXPECT_EQ(account.on_cpu_ns, on_cpu * kSecond);
    EXPECT_EQ(account.wait_ns, wait * kSecond);
    EXPECT_EQ(account.ready_ns, ready * kSecond);
    EXPECT_EQ(account.blocked_ns, blocked * kSecond);
    EXPECT_EQ(account.lifetime_ns, (on_cpu + wait + ready + blocked) * kSecond);
  }

  MadeUpRun run_;
  ThreadFacts* thread_;
};

TEST_F(ThreadAccountTest, HasFourPartsThatAddUp) { Expect(3, 3, 3, 1); }

// The CPU clock says 9 s of the 10 s. Events measured 3 s of waits, and samples show 4 s in their states: 1 s was on a
// processor and not in a wait, for example in the runtime's lock functions while the lock was free.
TEST_F(ThreadAccountTest, WasNotBlockedWhileItsCpuClockRan) {
  AddSample(OmptState::kWaitBarrierImplicit, 3);
  thread_->cpu_ns = 9 * kSecond;
  thread_->ready_ns = 0;
  Expect(6, 3, 0, 1);
}

TEST_F(ThreadAccountTest, AThreadWasReadyInWaitsAsWell) {
  thread_->ready_ns = 6 * kSecond;
  Expect(3, 3, 4, 0);
}

TEST_F(ThreadAccountTest, TheKernelDoesNotTell) {
  thread_->ready_ns = thread_->ready_of_ns = 0;
  Expect(3, 3, 4, 0);
}

TEST_F(ThreadAccountTest, TheCollectorLookedBeforeTheEnd) {
  thread_->ready_ns = kSecond;
  thread_->ready_of_ns = 5 * kSecond;
  Expect(3, 3, 2, 2);
}

// The thread ended before the collector looked. The other thread was ready for a tenth of its time.
TEST_F(ThreadAccountTest, LikeTheOtherThreads) {
  thread_->ready_ns = thread_->ready_of_ns = 0;
  run_.process().threads[1].ready_ns = kSecond;
  run_.process().threads[1].ready_of_ns = 10 * kSecond;
  Expect(3, 3, 1, 3);
}

TEST_F(ThreadAccountTest, SamplesTellOfCpuTimeThatTheClockLacks) {
  thread_->cpu_ns = 0;
  Expect(3, 3, 3, 1);
}

// A few samples stand for twice the time of the clock, a quarter of it in waits.
TEST_F(ThreadAccountTest, SamplesDivideTheClockAndAddNothing) {
  AddSample(OmptState::kWorkParallel, 3);
  AddSample(OmptState::kWaitBarrierImplicit, 1);
  Expect(3, 3, 3, 1);
}

TEST_F(ThreadAccountTest, WallClockSamplesAreNoCpuTime) {
  run_.process().sampling.clock = "wall";
  Expect(4, 3, 3, 0);
}

TEST_F(ThreadAccountTest, WaitsFillNoMoreThanTheLifetime) {
  run_.AddWait(1, OmptState::kIdle, 100 * kSecond);
  Expect(0, 10, 0, 0);
}

// Of 9 s of estimated waits, 6 s fit beside 3 s of work and 1 s of an exact wait.
TEST_F(ThreadAccountTest, EstimatesFitIntoTheLifetime) {
  run_.view.waits.clear();
  run_.AddWait(1, OmptState::kWaitTaskwait, kSecond);
  run_.AddWait(1, OmptState::kWaitBarrierImplicit, 9 * kSecond);
  run_.view.waits.back().estimate = {9 * kSecond, 9e6};
  BoundEstimatedWaits(&run_.view);
  EXPECT_EQ(run_.view.waits[0].total_ns, kSecond);
  EXPECT_NEAR(static_cast<double>(run_.view.waits[1].total_ns), 6e9, 10);
  EXPECT_NEAR(static_cast<double>(run_.view.waits[1].estimate.ns), 6e9, 10);
  EXPECT_NEAR(run_.view.waits[1].estimate.variance, 4e6, 10);
  // Estimates that fit stay.
  BoundEstimatedWaits(&run_.view);
  EXPECT_NEAR(static_cast<double>(run_.view.waits[1].total_ns), 6e9, 20);
}

TEST_F(ThreadAccountTest, TheRunsLossesAddUp) {
  const Efficiency efficiency = run_.Measure();
  uint64_t all = efficiency.useful_ns;
  for (const Loss& loss : LossesOf(efficiency)) all += loss.ns;
  EXPECT_EQ(all, efficiency.threads * efficiency.duration_ns);
  EXPECT_EQ(efficiency.useful_ns, 13 * kSecond);
  EXPECT_EQ(efficiency.barrier_ns, 3 * kSecond);
  EXPECT_EQ(efficiency.ready_ns, 3 * kSecond);
  EXPECT_EQ(efficiency.blocked_ns, 1 * kSecond);
}

// In a region, the threads have 14 s without waits, of which the samples show 10 s. The threads' accounts know of 4 s
// off the processor, 3 s of them ready.
TEST_F(ThreadAccountTest, OfARegion) {
  Region& region = run_.AddRegion("solve", 1, 10 * kSecond, 14 * kSecond, 8 * kSecond, 3 * kSecond);
  region.busy_weight = 10 * kSecond;
  region.thread_work = {{0, 1, 5 * kSecond, 1000000}, {0, 2, 5 * kSecond, 1000000}};
  run_.view.accounts = AccountThreads(run_.view);
  AccountRegions(&run_.view);
  EXPECT_EQ(region.ready_ns, 3 * kSecond);
  EXPECT_EQ(region.blocked_ns, 1 * kSecond);
  EXPECT_NEAR(static_cast<double>(region.useful_ns), 11e9, 10);
  // 8 s of wall time against a mean of 7 s look uneven. The CPU times are even.
  EXPECT_EQ(region.Imbalance(), 0);
  EXPECT_NEAR(static_cast<double>(region.useful_max_ns), 5.5e9, 10);
}

TEST_F(ThreadAccountTest, RegionsHaveNoMoreThanTheThreads) {
  for (const char* name : {"one", "other"})
    run_.AddRegion(name, 1, 5 * kSecond, 10 * kSecond, 5 * kSecond, 0).busy_weight = 2 * kSecond;
  run_.view.accounts = AccountThreads(run_.view);
  AccountRegions(&run_.view);
  for (const Region& region : run_.view.regions) EXPECT_NEAR(static_cast<double>(region.off_cpu_ns()), 2e9, 10);
}

TEST_F(ThreadAccountTest, UsefulTimeOfAnEstimatedRegionIsNoShorterThanItsSamples) {
  Region& region = run_.AddRegion("solve", 1, 10 * kSecond, 2 * kSecond, kSecond, 18 * kSecond);
  region.work_weight = 6 * kSecond;
  region.estimated = 1;
  AccountRegions(&run_.view);
  EXPECT_EQ(region.useful_ns, 6 * kSecond);
  EXPECT_EQ(region.useful_max_ns, 3 * kSecond);
}

// A nanosecond of two threads: the mean is half of one.
// Estimates and samples may say more than fits into 4 s of two threads.
TEST_F(ThreadAccountTest, NoThreadIsUsefulForLongerThanTheRegionTakes) {
  Region& region = run_.AddRegion("solve", 1, 4 * kSecond, 12 * kSecond, 7 * kSecond, 0);
  region.useful_min_ns = 5 * kSecond;
  region.estimated = 1;
  AccountRegions(&run_.view);
  EXPECT_EQ(region.useful_ns, 8 * kSecond);
  EXPECT_EQ(region.useful_max_ns, 4 * kSecond);
  EXPECT_EQ(region.useful_min_ns, 4 * kSecond);
}

TEST_F(ThreadAccountTest, TheBusiestThreadHasNoLessThanTheMean) {
  const Region& region = run_.AddRegion("short", 1, 7, 1, 0, 13);
  AccountRegions(&run_.view);
  EXPECT_EQ(region.useful_max_ns, 1u);
  EXPECT_GE(region.Imbalance(), 0);
}

// Four threads take turns on two processors: each works for 5 s without a break, and is in waits for the other 5 s. The
// first thread's waits are short in all, but all have worked as long.
TEST(AccountRegions, TurnsOnTheProcessorsAreNoWork) {
  MadeUpRun run(4, 10 * kSecond);
  run.process().machine.cpus = 2;
  Region& region = run.AddRegion("solve", 10, 10 * kSecond, 20 * kSecond, 8 * kSecond, 20 * kSecond);
  region.busy_weight = 20 * kSecond;
  for (ThreadFacts& thread : run.process().threads) {
    thread.cpu_ns = 5 * kSecond;
    thread.ready_ns = 5 * kSecond;
    thread.ready_of_ns = thread.lifetime_ns;
    region.thread_work.push_back({0, thread.id, 5 * kSecond, 1000});
    run.AddWait(thread.id, OmptState::kWaitBarrierImplicitParallel, 5 * kSecond - 1, 10, region.construct);
  }
  run.Measure();
  ASSERT_TRUE(ThreadsShareProcessors(run.view));
  AccountRegions(&run.view);
  ASSERT_TRUE(run.view.regions[0].cpu_imbalance);
  EXPECT_EQ(*run.view.regions[0].cpu_imbalance, 0);
  EXPECT_NEAR(static_cast<double>(run.view.regions[0].useful_max_ns), 5e9, 1e3);
  // The report of one region has no accounts of threads, and the same savings as that of the run.
  run.view.accounts.clear();
  EXPECT_EQ(DelayShare(run.view.run), 0.5);
  run.process().machine.cpus = 4;
  EXPECT_FALSE(ThreadsShareProcessors(run.view)) << "then another program had the processors";
}

TEST(UnevenWork, IsBeyondChance) {
  Region region{};
  region.elapsed_ns = kSecond;
  region.team_ns = 2 * kSecond;
  // Two standard deviations of 100 samples are 20 %.
  region.thread_work = {{0, 1, 110, 100}, {0, 2, 90, 82}};
  EXPECT_EQ(UnevenWorkNs(region), 0u);
  region.thread_work = {{0, 1, 110, 10000}, {0, 2, 90, 8200}};
  EXPECT_EQ(UnevenWorkNs(region), 8u) << "10 less 1.18 standard deviations of 1.1";
  // All samples of the first thread are in the region: its clock knows its work, and chance has no part in it.
  region.thread_work[0].of_weight = 110;
  EXPECT_EQ(UnevenWorkNs(region), 9u);
  region.thread_work[0].of_weight = 0;
  // The second thread had no sample.
  region.thread_work.pop_back();
  EXPECT_EQ(UnevenWorkNs(region), 53u);
}

// The second thread of the team is a new thread each time.
TEST(UnevenWork, OfThreadsThatLivedOneAfterTheOther) {
  Region region{};
  region.elapsed_ns = kSecond;
  region.team_ns = 2 * kSecond;
  region.thread_work = {{0, 1, 100000, 10000}};
  for (uint32_t thread = 2; thread <= 101; ++thread) region.thread_work.push_back({0, thread, 1000, 100});
  EXPECT_GT(UnevenWorkNs(region), 90000u) << "of 101 threads";
  for (Region::ThreadWork& work : region.thread_work) work.slot = work.thread == 1 ? 1 : 2;
  EXPECT_EQ(UnevenWorkNs(region), 0u);
}

// The busiest thread's figure comes from CPU times, and the least busy thread's from wall times.
TEST_F(ThreadAccountTest, UsefulTimesAreInOrder) {
  Region& region = run_.AddRegion("solve", 1, 10 * kSecond, 14 * kSecond, 8 * kSecond, 3 * kSecond);
  region.useful_min_ns = 6 * kSecond;
  region.busy_weight = 10 * kSecond;
  region.thread_work = {{0, 1, 5 * kSecond, 1000000}, {0, 2, 5 * kSecond, 1000000}};
  run_.view.accounts = AccountThreads(run_.view);
  AccountRegions(&run_.view);
  EXPECT_NEAR(static_cast<double>(region.useful_min_ns), 5.5e9, 10);
  EXPECT_NEAR(static_cast<double>(region.useful_max_ns), 5.5e9, 10);
}

}  // namespace
}  // namespace ompprof::analyze

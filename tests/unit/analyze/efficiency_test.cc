// A run's efficiencies: known answers from made-up regions, waits and threads. Each comment has the arithmetic.
#include "profiler/analyze/account/efficiency.h"

#include <gtest/gtest.h>

#include "proto/ompt_state.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::analyze {
namespace {

using test::kSecond;
using test::MadeUpRun;

TEST(Efficiency, OfASerialPartAndAnImbalance) {
  // Ten seconds, four of them serial. In the region the first thread works 5 s and waits 1 s; the second works 4 s and
  // waits 2 s.
  MadeUpRun run(2, 10 * kSecond);
  run.AddRegion("solve", 1, 6 * kSecond, 9 * kSecond, 5 * kSecond, 3 * kSecond);
  run.AddWait(1, OmptState::kWaitBarrierImplicitParallel, 1 * kSecond);
  run.AddWait(2, OmptState::kWaitBarrierImplicitParallel, 2 * kSecond);
  run.AddWait(2, OmptState::kIdle, 4 * kSecond);
  const Efficiency efficiency = run.Measure();
  ASSERT_TRUE(efficiency.known);
  EXPECT_EQ(efficiency.threads, 2u);
  EXPECT_EQ(efficiency.useful_ns, 13 * kSecond);
  EXPECT_EQ(efficiency.useful_max_ns, 9 * kSecond);
  EXPECT_EQ(efficiency.wait_ns, 3 * kSecond);
  EXPECT_EQ(efficiency.idle_ns, 4 * kSecond);
  EXPECT_EQ(efficiency.serial_ns, 4 * kSecond);
  EXPECT_EQ(efficiency.parallel_ns, 6 * kSecond);
  EXPECT_DOUBLE_EQ(efficiency.busy_threads(), 1.3);
  EXPECT_DOUBLE_EQ(efficiency.parallel(), 0.65);
  EXPECT_DOUBLE_EQ(efficiency.load_balance(), 6.5 / 9);
  EXPECT_DOUBLE_EQ(efficiency.busiest_thread(), 0.9);
  EXPECT_DOUBLE_EQ(efficiency.load_balance() * efficiency.busiest_thread(), efficiency.parallel());
  EXPECT_DOUBLE_EQ(efficiency.serial_fraction(), 0.4);
  EXPECT_DOUBLE_EQ(efficiency.speedup_bound(), 2.5);
}

TEST(Efficiency, TheCollectorsOwnCountOfSerialTimeComesFirst) {
  // Two threads with regions of their own. The regions overlap for 3 s.
  MadeUpRun run(2, 10 * kSecond);
  run.AddRegion("solve", 1, 6 * kSecond, 12 * kSecond, 6 * kSecond, 0);
  run.process().threads[1].regions_ns = run.process().threads[0].regions_ns;
  EXPECT_EQ(run.Measure().serial_ns, 4 * kSecond);
  run.process().parallel_ns = 9 * kSecond;
  run.process().serial_ns = 1 * kSecond;
  EXPECT_EQ(run.Measure().parallel_ns, 9 * kSecond);
  EXPECT_EQ(run.Measure().serial_ns, 1 * kSecond);
}

TEST(Efficiency, AWorkerMadeLateWasIdleBefore) {
  MadeUpRun run(2, 10 * kSecond);
  run.process().threads[1].lifetime_ns = 5 * kSecond;
  EXPECT_EQ(run.Measure().useful_ns, 15 * kSecond);
  EXPECT_EQ(run.Measure().idle_ns, 5 * kSecond);
}

TEST(Efficiency, ATeamOfOneIsSerial) {
  MadeUpRun run(1, 10 * kSecond);
  run.AddRegion("solve", 1, 6 * kSecond, 6 * kSecond, 6 * kSecond, 0);
  EXPECT_EQ(run.Measure().serial_ns, 10 * kSecond);
}

// A driver has almost no time in regions, and nine short processes are all parallel: more threads do not help.
TEST(Efficiency, TheSerialPartIsThatOfTheProcessesTimes) {
  MadeUpRun driver(2, 100 * kSecond);
  MadeUpRun child(2, kSecond);
  child.AddRegion("solve", 1, kSecond, 2 * kSecond, kSecond, 0);
  driver.view.run.processes.resize(10, child.process());
  const Efficiency efficiency = MeasureEfficiency(driver.view, {});
  EXPECT_NEAR(efficiency.serial_fraction(), 100.0 / 109, 1e-9);
  EXPECT_NEAR(efficiency.speedup_bound(), 1.09, 1e-9);
}

// A nested team of two new threads, ten times: at most three threads existed at a time.
TEST(Efficiency, ThreadsThatTakeEachOthersPlaceAreOne) {
  MadeUpRun run(1, 10 * kSecond);
  for (uint32_t id = 2; id < 22; ++id) {
    ThreadFacts& thread = run.process().threads.emplace_back();
    thread.id = id;
    thread.kind = ThreadKind::kWorker;
    thread.start_mono_ns = 1000 + (id / 2 - 1) * kSecond;
    thread.lifetime_ns = thread.cpu_ns = kSecond / 2;
  }
  const Efficiency efficiency = run.Measure();
  EXPECT_EQ(efficiency.threads, 3u);
  EXPECT_EQ(efficiency.useful_ns, 20 * kSecond);
  EXPECT_EQ(efficiency.useful_max_ns, 10 * kSecond);
  EXPECT_EQ(efficiency.idle_ns, 10 * kSecond) << "of three threads' 30 s, 20 were lived";
}

// A script that runs a program of two threads three times.
TEST(Efficiency, ProgramsInTurnAreOneAfterTheOther) {
  MadeUpRun script(2, 10 * kSecond);
  script.AddRegion("solve", 1, 6 * kSecond, 12 * kSecond, 6 * kSecond, 0);
  ProcessFacts program = script.process();
  script.process() = ProcessFacts();  // the shell
  script.process().duration_ns = 32 * kSecond;
  for (const int64_t start : {1, 11, 21}) {
    program.start_unix_ns = start * static_cast<int64_t>(kSecond);
    script.view.run.processes.push_back(program);
  }
  const Efficiency efficiency = script.Measure();
  EXPECT_EQ(efficiency.threads, 2u);
  EXPECT_EQ(efficiency.duration_ns, 30 * kSecond);
  EXPECT_EQ(efficiency.serial_ns, 12 * kSecond);
  EXPECT_EQ(efficiency.parallel_ns, 18 * kSecond);
  EXPECT_DOUBLE_EQ(efficiency.parallel(), 1);
  EXPECT_DOUBLE_EQ(efficiency.load_balance(), 1);
}

// A wait for a device is neither useful nor a wait at a barrier.
TEST(Efficiency, WaitsForDevicesAreALossOfTheirOwn) {
  MadeUpRun run(1, 10 * kSecond);
  run.process().threads[0].cpu_ns = 4 * kSecond;
  run.AddWait(1, OmptState::kWaitTarget, 6 * kSecond);
  const Efficiency efficiency = run.Measure();
  EXPECT_EQ(efficiency.device_wait_ns, 6 * kSecond);
  EXPECT_EQ(efficiency.barrier_ns, 0u);
  EXPECT_EQ(efficiency.useful_ns, 4 * kSecond);
  ASSERT_EQ(LossesOf(efficiency).size(), 1u);
  EXPECT_STREQ(LossTitle(LossesOf(efficiency)[0].kind), "waiting for devices");
}

TEST(Efficiency, NoBoundWhereNoTeamHasTwoThreads) {
  MadeUpRun run(1, 10 * kSecond);
  run.AddRegion("solve", 1, 6 * kSecond, 6 * kSecond, 6 * kSecond, 0);
  EXPECT_EQ(run.Measure().speedup_bound(), 0);
}

TEST(Efficiency, NotKnownWithoutOmpt) {
  MadeUpRun run(2, kSecond);
  run.process().runtimes.clear();
  EXPECT_FALSE(run.Measure().known);
}

TEST(Efficiency, NotKnownWithoutWaits) {
  MadeUpRun run(2, kSecond);
  run.process().sampling.no_waits = true;
  EXPECT_FALSE(WaitsRecorded(run.view));
  EXPECT_FALSE(run.Measure().known);
  EXPECT_EQ(NotesOf(run.process()), std::vector<std::string>{"waits were not recorded (--waits=off)"});
  // Without OpenMP there were no regions to record.
  run.process().runtimes.clear();
  EXPECT_TRUE(WaitsRecorded(run.view));
  EXPECT_TRUE(NotesOf(run.process()).empty());
}

TEST(Unblamed, IsSummedOverProcesses) {
  MadeUpRun run(2, 10 * kSecond);
  run.process().unblamed = {17, 5, 6};
  run.view.run.processes.push_back(MadeUpRun(1, kSecond).process());
  run.view.run.processes[1].unblamed = {100, 200, 300};
  const Unblamed unblamed = MeasureUnblamed(run.view);
  EXPECT_EQ(unblamed.nobody_working_ns, 117u);
  EXPECT_EQ(unblamed.lock_handoff_ns, 205u);
  EXPECT_EQ(unblamed.unsampled_ns, 306u);
}

}  // namespace
}  // namespace ompprof::analyze

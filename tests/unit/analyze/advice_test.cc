// Each piece of advice appears where its numbers are, and none appears where they are not.
#include "profiler/analyze/advice/advise.h"

#include <gtest/gtest.h>

#include "proto/ompt_state.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::analyze {
namespace {

using test::kSecond;
using test::MadeUpRun;

constexpr uint64_t kMillisecond = 1000000;

std::vector<Advice> AdviceOn(MadeUpRun& run) { return Advise(run.view, run.Measure()).advice; }

// The name of the only piece of advice; "" for none, all names for several.
std::string Only(MadeUpRun& run) {
  std::string names;
  for (const Advice& advice : AdviceOn(run)) names += (names.empty() ? "" : " ") + std::string(AdviceName(advice.kind));
  return names;
}

TEST(Advice, NoneForARunWithoutFlaw) {
  MadeUpRun run(2, 10 * kSecond);
  run.AddRegion("solve", 100, 9900 * kMillisecond, 19700 * kMillisecond, 9880 * kMillisecond, 100 * kMillisecond);
  EXPECT_EQ(Only(run), "");
}

TEST(Advice, StaticScheduleOverUnevenWork) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 10, 10 * kSecond, 15 * kSecond, 10 * kSecond, 5 * kSecond);
  region.work_weight = 0;  // the thread sleeps
  region.loops.push_back({1, {}, 20, 20 * 6400, 0});
  ASSERT_EQ(Only(run), "static-schedule");
  const Advice advice = AdviceOn(run)[0];
  // Less a sixth of a last chunk, of 32 for each thread, and the chunks' cost.
  EXPECT_NEAR(static_cast<double>(advice.gain_ns), 2.5e9 - 15e9 / 2 / 32 / 6 - 10 * 32 * 100, 2);
  EXPECT_EQ(advice.where, region.construct);
  EXPECT_EQ(advice.iterations, 6400u);
  EXPECT_EQ(advice.chunk, 100u);
}

TEST(Advice, UnevenSectionsAreNoLoop) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 10, 10 * kSecond, 15 * kSecond, 10 * kSecond, 5 * kSecond);
  region.work_weight = 0;
  region.loops.push_back({2, {}, 20, 40, 0});
  EXPECT_EQ(Only(run), "uneven-team");
  // Either thread takes the longest section.
  for (const uint32_t thread : {1, 2})
    run.AddWait(thread, OmptState::kWaitBarrierImplicitParallel, 2500 * kMillisecond, 10, region.construct);
  EXPECT_EQ(Only(run), "uneven-team");
}

TEST(Advice, NotToBalanceThreadsThatTheKernelKeptFromRunning) {
  MadeUpRun run(2, 10 * kSecond);
  // Both threads have 7 s of work. Each lacked a processor for 2 s, and the other thread waited for it.
  run.AddRegion("solve", 1000, 9 * kSecond, 16 * kSecond, 9 * kSecond, 2 * kSecond).work_weight = 14 * kSecond;
  run.view.regions[0].thread_work = {{0, 1, 7 * kSecond, 1400}, {0, 2, 7 * kSecond, 1400}};
  EXPECT_EQ(Only(run), "");
  // Here one thread has 5 s of work and the other 9.
  run.view.regions[0].thread_work = {{0, 1, 5 * kSecond, 1000}, {0, 2, 9 * kSecond, 1800}};
  EXPECT_EQ(Only(run), "static-schedule");
}

// Nested regions and sections have no barrier of the same threads: the busiest thread's time alone is a bound.
TEST(Advice, NotToBalanceEqualWork) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 10 * kSecond, 18 * kSecond, 9 * kSecond, 2 * kSecond);
  region.work_weight = 0;
  EXPECT_EQ(Only(run), "");
  region.useful_max_ns = 10 * kSecond;
  EXPECT_EQ(Only(run), "static-schedule");
}

TEST(Advice, NotToBalanceChance) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1000, 10 * kSecond, 16 * kSecond, 10 * kSecond, 4 * kSecond);
  region.work_weight = 0;
  const FunctionId solve = region.construct;
  run.AddWait(1, OmptState::kWaitBarrierImplicitParallel, 1900 * kMillisecond, 1000, solve);
  run.AddWait(2, OmptState::kWaitBarrierImplicitParallel, 2100 * kMillisecond, 1000, solve);
  EXPECT_EQ(Only(run), "");
  run.view.waits.clear();
  run.AddWait(1, OmptState::kWaitBarrierImplicitParallel, 1000 * kMillisecond, 1000, solve);
  run.AddWait(2, OmptState::kWaitBarrierImplicitParallel, 3000 * kMillisecond, 1000, solve);
  EXPECT_EQ(Only(run), "static-schedule");
}

// One instance of a region with a million barriers.
class ManyBarriers : public ::testing::Test {
 protected:
  ManyBarriers() : run_(2, 10 * kSecond) {
    region_ = &run_.AddRegion("solve", 1, 10 * kSecond, 16 * kSecond, 8200 * kMillisecond, 0);
    region_->barrier_wait_ns = 4 * kSecond;
    region_->work_weight = 0;
  }

  void Meet(uint32_t line, uint64_t times, uint64_t first_ns, uint64_t second_ns) {
    for (const auto& [thread, ns] : {std::pair(1u, first_ns), std::pair(2u, second_ns)}) {
      run_.AddWait(thread, OmptState::kWaitBarrierImplicitWorkshare, ns, times, region_->construct);
      run_.view.waits.back().place.line = line;
    }
  }

  std::string Refused() {
    const Findings findings = Advise(run_.view, run_.Measure());
    return findings.refusals.empty() ? "" : RefusalName(findings.refusals[0].reason);
  }

  MadeUpRun run_;
  Region* region_;
};

TEST_F(ManyBarriers, WithoutAThreadThatIsLateAtOne) {
  Meet(7, 100000, 1900 * kMillisecond, 2100 * kMillisecond);
  EXPECT_EQ(Only(run_), "");
  EXPECT_EQ(Refused(), "others-are-late");
}

TEST_F(ManyBarriers, WithALateThread) {
  Meet(7, 10000, 3900 * kMillisecond, 100 * kMillisecond);
  EXPECT_EQ(Only(run_), "static-schedule");
}

// Each loop is uneven. The first thread is late at one of them, the second thread at the other.
TEST_F(ManyBarriers, WithALateThreadAtEach) {
  Meet(7, 5000, 1900 * kMillisecond, 100 * kMillisecond);
  Meet(9, 5000, 100 * kMillisecond, 1900 * kMillisecond);
  EXPECT_EQ(Only(run_), "static-schedule");
}

// Handing out chunks would cost more than the late thread does.
TEST_F(ManyBarriers, WithLittleWorkBetweenThem) {
  Meet(7, 1000000, 2600 * kMillisecond, 1400 * kMillisecond);
  EXPECT_EQ(Only(run_), "");
  EXPECT_EQ(Refused(), "little-work");
}

TEST(Advice, NoScheduleThatTheLoopHas) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 10, 10 * kSecond, 15 * kSecond, 10 * kSecond, 5 * kSecond);
  region.work_weight = 0;
  // libomp 15: a static loop has a chunk for each thread. A dynamic one has more.
  region.loops.push_back({1, {}, 20, 20 * 6400, 20});
  EXPECT_EQ(Only(run), "static-schedule");
  run.view.regions[0].loops[0].chunks = 2000;
  EXPECT_EQ(Only(run), "uneven-team");
  // libomp 14 tells of no chunks.
  run.view.regions[0].loops[0].chunks = 0;
  EXPECT_TRUE(AdviceOn(run)[0].maybe_static);
  run.view.regions[0].handing_out_weight = 1;
  EXPECT_EQ(Only(run), "uneven-team");
}

TEST(Advice, NoLargerChunksForAStaticLoop) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1000000, 10 * kSecond, 20 * kSecond, 10 * kSecond, 0);
  region.elapsed_ns = 10 * kSecond;
  region.ended = 1000;
  region.overhead_weight[static_cast<int>(Overhead::kScheduling)] = 6 * kSecond;
  region.loops.push_back({10, {}, 2000000, 20000000, 0});
  EXPECT_EQ(Only(run), "");
  EXPECT_EQ(Advise(run.view, run.Measure()).refusals[0].reason, RefusalReason::kStaticAlready);
}

// The threads wait in the runtime's function for others; a chunk of 10 ms costs nothing to hand out.
TEST(Advice, NoLargerChunksThanLongOnes) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 10 * kSecond, 20 * kSecond, 10 * kSecond, 0);
  region.overhead_weight[static_cast<int>(Overhead::kScheduling)] = 6 * kSecond;
  region.loops.push_back({11, {}, 2, 2 * 1000000, 2000});
  EXPECT_EQ(Only(run), "");
  EXPECT_EQ(Advise(run.view, run.Measure()).refusals[0].reason, RefusalReason::kLongChunks);
}

TEST(Advice, ChunkTooSmall) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 10 * kSecond, 20 * kSecond, 10 * kSecond, 0);
  region.overhead_weight[static_cast<int>(Overhead::kScheduling)] = 6 * kSecond;
  region.loops.push_back({11, {}, 2, 2 * 10000000, 10000000});
  ASSERT_EQ(Only(run), "chunk-too-small");
  EXPECT_EQ(AdviceOn(run)[0].gain_ns, 3 * kSecond);
  EXPECT_EQ(AdviceOn(run)[0].chunk, 1u);
}

// A run in which both threads wait for a lock for 8 s, `waits` times. The code under it has `bytes` of machine code.
struct LockRun : MadeUpRun {
  LockRun(uint64_t waits, uint64_t bytes) : MadeUpRun(2, 10 * kSecond) {
    Region& region = AddRegion("solve", 1, 10 * kSecond, 12 * kSecond, 6 * kSecond, 0);
    region.lock_wait_ns = 8 * kSecond;
    for (const uint32_t thread : {1, 2})
      AddWait(thread, OmptState::kWaitCritical, 4 * kSecond, waits / 2, region.construct, 0x1000);
    AddWait(1, OmptState::kWaitCritical, 8 * kSecond, waits, region.construct, 0x1000);
    WaitTotal& charge = view.waits.back();
    charge.charge = true;
    charge.acquiring_call = {1, 0x100};
    charge.call = {1, 0x100 + bytes};
  }

  // CPU time in code at these addresses: of the caller, and of what it calls; 0: none.
  void AddWork(uint64_t caller, uint64_t callee, uint64_t ns) {
    ViewSample sample{};
    sample.thread = 1;
    sample.state = OmptState::kWorkParallel;
    sample.region = view.regions[0].construct;
    sample.cost.weight = ns;
    for (const uint64_t at : {caller, callee}) {
      if (at != 0) sample.path = view.paths.Child(sample.path, view.frames.AddLocation({1, at}, {{1, 1}}));
    }
    view.samples.push_back(sample);
  }
};

TEST(Advice, LocksByHowLongTheyAreHeld) {
  for (const auto& [waits, name] : {std::pair<uint64_t, const char*>{6000000, "short-critical"},
                                    {80000, "contended-lock"},
                                    {800, "long-held-lock"}}) {
    LockRun run(waits, 20);
    ASSERT_EQ(Only(run), name);
    const Advice advice = AdviceOn(run)[0];
    EXPECT_EQ(advice.gain_ns, 4 * kSecond);
    EXPECT_EQ(advice.wait_id, 0x1000u);
    EXPECT_EQ(advice.count, waits);
  }
}

// Beside other programs, a holder may lose its processor. A thread waits for no longer than the others hold the lock.
TEST(Advice, NoLockWhoseHolderLostItsProcessor) {
  LockRun run(80000, 400);
  MachineFacts& machine = run.process().machine;
  machine.load_duration_ns = 10 * kSecond;
  machine.busy_ns = 3 * kSecond;
  WaitTotal& charge = run.view.waits.back();
  charge.held_count = 1000;
  charge.held_ns = charge.held_count * 50000;
  ASSERT_EQ(Only(run), "contended-lock");
  EXPECT_EQ(AdviceOn(run)[0].gain_ns, 2 * kSecond) << "80,000 times 50 us, of two threads";
  charge.held_ns = charge.held_count * 200;
  EXPECT_EQ(Only(run), "") << "80,000 times 200 ns";
  machine.busy_ns = 0;
  EXPECT_EQ(Only(run), "contended-lock") << "on a quiet machine, the waits are the lock's";
}

// A lock that is held for a microsecond around calls and branches protects no sum.
TEST(Advice, NoAtomicForMoreThanAFewInstructions) {
  LockRun long_code(6000000, 400);
  EXPECT_EQ(Only(long_code), "contended-lock");
  LockRun calls(6000000, 20);
  calls.AddWork(0x108, 0x9000, kMillisecond);
  EXPECT_EQ(Only(calls), "contended-lock");
  LockRun not_known(6000000, 20);
  not_known.view.waits.pop_back();
  EXPECT_EQ(Only(not_known), "contended-lock");
}

// What takes the lock, and half of what is done under it, goes with the lock.
TEST(Advice, AShortCriticalCostsMoreThanItsWaits) {
  LockRun run(6000000, 20);
  run.AddWork(0x108, 0, kSecond);  // under it
  run.AddWork(0x90, 0, kSecond);   // before it
  EXPECT_EQ(AdviceOn(run)[0].gain_ns, 4250 * kMillisecond);
  run.AddWork(0, 0, 9 * kSecond);  // in the runtime, which takes the lock
  run.view.samples.back().state = OmptState::kWaitCritical;
  run.view.samples.back().wait_id = 0x1000;
  EXPECT_EQ(AdviceOn(run)[0].gain_ns, 4250 * kMillisecond) << "bounded by the busiest thread's work";
  run.view.regions[0].useful_max_ns = 5 * kSecond;
  run.view.regions[0].work_weight = 10 * kSecond;
  EXPECT_EQ(AdviceOn(run)[0].gain_ns, 4750 * kMillisecond);
}

TEST(Advice, OrderedIsNoAtomic) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 10 * kSecond, 12 * kSecond, 6 * kSecond, 0);
  region.lock_wait_ns = 8 * kSecond;
  run.AddWait(1, OmptState::kWaitOrdered, 8 * kSecond, 8000000, region.construct, 0x1000);
  EXPECT_EQ(Only(run), "contended-lock");
}

TEST(Advice, RegionTooShort) {
  MadeUpRun run(2, 10 * kSecond);
  // A million regions of 6 us with 2 us of work in them.
  run.AddRegion("solve", 1000000, 6 * kSecond, 2 * kSecond, 1100 * kMillisecond, 9 * kSecond);
  run.AddWait(2, OmptState::kIdle, 1 * kSecond);
  const std::string names = Only(run);
  EXPECT_EQ(names.substr(0, names.find(' ')), "region-too-short") << names;
  EXPECT_EQ(names.find("schedule"), std::string::npos) << names;
  EXPECT_EQ(AdviceOn(run)[0].gain_ns, 4 * kSecond);
}

// Sums over processes that run side by side are no wall time: each of these processes could save 4 s of its 10. One
// program has a serial part, and a shell started the program: such a run once read "18446744072.50 s".
TEST(Advice, SerialPartOfAScriptsProgram) {
  MadeUpRun run(2, 10 * kSecond);
  run.AddRegion("solve", 1, 4 * kSecond, 8 * kSecond, 4 * kSecond, 0);
  for (int i = 0; i < 3; ++i) run.view.run.processes.emplace_back().duration_ns = kSecond;
  const std::vector<Advice> advice = AdviceOn(run);
  ASSERT_EQ(Only(run), "serial-part");
  EXPECT_EQ(advice[0].gain_ns, 3 * kSecond) << "half of 6 s";
  EXPECT_EQ(advice[0].threads, 2);
}

TEST(Advice, RegionTooShortInEachOfSeveralProcesses) {
  MadeUpRun run(2, 10 * kSecond);
  run.AddRegion("solve", 10000000, 60 * kSecond, 20 * kSecond, 11 * kSecond, 90 * kSecond);
  run.AddWait(2, OmptState::kIdle, 1 * kSecond);
  run.view.run.processes.resize(10, MadeUpRun(run).process());
  const std::vector<analyze::Advice> advice = AdviceOn(run);
  ASSERT_FALSE(advice.empty());
  EXPECT_EQ(advice[0].gain_ns, 4 * kSecond);
}

TEST(Advice, TasksTooFine) {
  MadeUpRun run(2, 10 * kSecond);
  run.process().tasks_created = 10000000;
  Region& region = run.AddRegion("solve", 1, 10 * kSecond, 20 * kSecond, 10 * kSecond, 0);
  region.overhead_weight[static_cast<int>(Overhead::kTasking)] = 12 * kSecond;
  region.work_weight = 8 * kSecond;
  // That threads wait for tasks, and at barriers, comes from that: more and smaller pieces would contradict.
  region.task_wait_ns = 6 * kSecond;
  region.end_wait_ns = 2 * kSecond;
  ASSERT_EQ(Only(run), "tasks-too-fine");
  EXPECT_EQ(AdviceOn(run)[0].each_ns, 800u);
  EXPECT_TRUE(Advise(run.view, run.Measure()).refusals.empty());
}

// A run without a sample once had "800 tasks of 0 s on average": their work is not known to be less than 1 us each.
TEST(Advice, TasksThatNoSampleMetAreNotTiny) {
  MadeUpRun run(2, kSecond);
  run.process().sampling.period = 5 * kMillisecond;
  run.process().tasks_created = 800;
  Region& region = run.AddRegion("solve", 1, kSecond, kSecond, kSecond / 2, 0);
  region.work_weight = 0;
  region.task_wait_ns = kSecond;
  EXPECT_EQ(Only(run).find("tasks-too-fine"), std::string::npos) << Only(run);
  run.process().tasks_created = 100000;  // 15 ms of work at most
  EXPECT_NE(Only(run).find("tasks-too-fine"), std::string::npos) << Only(run);
}

// A run of 5 ms had advice by one sample in the runtime.
TEST(Advice, NoneByASampleOrTwo) {
  MadeUpRun run(2, 10 * kMillisecond);
  run.process().sampling.period = 5 * kMillisecond;
  run.process().tasks_created = 20;
  Region& region = run.AddRegion("solve", 1, 10 * kMillisecond, 20 * kMillisecond, 10 * kMillisecond, 0);
  uint64_t& tasking = region.overhead_weight[static_cast<int>(Overhead::kTasking)];
  region.work_weight = 5 * kMillisecond;
  tasking = 10 * kMillisecond;
  EXPECT_EQ(Only(run), "");
  run.process().sampling.period = kMillisecond;
  EXPECT_EQ(Only(run), "tasks-too-fine");
}

// Each thread works for 2.5 s, waits for 4 s and is ready for 3.5 s.
class LackOfProcessors : public ::testing::Test {
 protected:
  explicit LackOfProcessors(uint32_t threads = 8) : run_(threads, 10 * kSecond) {
    run_.process().machine.cpus = run_.process().machine.online_cpus = 2;
    run_.AddRegion("solve", 100, 10 * kSecond, threads * 2500 * kMillisecond, 3 * kSecond, threads * 4 * kSecond);
    for (ThreadFacts& thread : run_.process().threads) {
      thread.cpu_ns = 2500 * kMillisecond;
      thread.ready_ns = 3500 * kMillisecond;
      thread.ready_of_ns = thread.lifetime_ns;
      run_.AddWait(thread.id, OmptState::kWaitBarrierImplicitParallel, 4 * kSecond, 100,
                   run_.view.regions[0].construct);
    }
  }

  // Other programs used this much of the processors.
  void Load(uint64_t others_ns) {
    MachineFacts& machine = run_.process().machine;
    machine.load_duration_ns = 10 * kSecond;
    machine.process_cpu_ns = 10 * kSecond;
    machine.busy_ns = machine.process_cpu_ns + others_ns;
  }

  MadeUpRun run_;
};

TEST_F(LackOfProcessors, MoreThreadsThanProcessors) {
  ASSERT_EQ(Only(run_), "too-many-threads");
  const Advice advice = AdviceOn(run_)[0];
  EXPECT_EQ(advice.gain_ns, 0u);
  EXPECT_EQ(advice.threads, 8);
  EXPECT_EQ(advice.cpus, 2);
  EXPECT_EQ(advice.wait_ns, 28 * kSecond);
  EXPECT_EQ(advice.of_ns, 48 * kSecond);
}

// Each of eight threads works for 2.5 s on two processors, and is in waits for the rest: spinning, or not yet woken.
TEST_F(LackOfProcessors, TurnsOnTheProcessorsAreNoUnevenWork) {
  Region& region = run_.view.regions[0];
  region.useful_max_ns = 4 * kSecond;
  region.end_wait_ns = 8 * 7500 * kMillisecond;
  region.cpu_imbalance.reset();
  for (uint32_t thread = 1; thread <= 8; ++thread) region.thread_work.push_back({0, thread, 2500 * kMillisecond, 2500});
  for (WaitTotal& wait : run_.view.waits) wait.total_ns = 7500 * kMillisecond;
  for (ThreadFacts& thread : run_.process().threads) thread.ready_ns = 7500 * kMillisecond;
  ASSERT_EQ(run_.Measure().ready_ns, 0u) << "outside of waits";
  ASSERT_EQ(Only(run_), "too-many-threads");
  const Advice advice = AdviceOn(run_)[0];
  EXPECT_TRUE(advice.in_waits);
  EXPECT_EQ(advice.wait_ns, 60 * kSecond);
  EXPECT_EQ(advice.of_ns, 80 * kSecond);
}

TEST_F(LackOfProcessors, TheAffinityMaskLeavesProcessorsOut) {
  run_.process().machine.online_cpus = 64;
  EXPECT_EQ(Only(run_), "affinity-mask");
  run_.process().machine.online_cpus = 4;
  EXPECT_EQ(Only(run_), "too-many-threads") << "the whole machine has too few";
}

TEST_F(LackOfProcessors, TheControlGroupsLimit) {
  run_.process().machine.cpus = 8;
  run_.process().machine.cpu_quota_milli = 2000;
  run_.process().cpu_ns = 19 * kSecond;
  EXPECT_EQ(Only(run_), "cpu-quota");
  run_.process().cpu_ns = 10 * kSecond;
  EXPECT_EQ(Only(run_), "too-many-threads") << "far from the limit";
}

class TwoThreads : public LackOfProcessors {
 protected:
  TwoThreads() : LackOfProcessors(2) {}
};

TEST_F(TwoThreads, BesideAnotherProgram) {
  EXPECT_EQ(Only(run_), "") << "no cause is known";
  Load(9 * kSecond);
  ASSERT_EQ(Only(run_), "busy-machine");
  EXPECT_DOUBLE_EQ(AdviceOn(run_)[0].others_cpus, 0.9);
}

// The busiest of eight threads has twice the work of the others. On two processors this costs nothing.
TEST_F(LackOfProcessors, UnevenWorkBehindThem) {
  Region& region = run_.view.regions[0];
  for (uint32_t thread = 1; thread <= 8; ++thread)
    region.thread_work.push_back({0, thread, (thread == 1 ? 4 : 2) * kSecond, thread == 1 ? 4000u : 2000u});
  region.work_weight = 18 * kSecond;
  region.useful_max_ns = 4 * kSecond;
  region.cpu_imbalance = 0.8;
  // What is on the program comes first.
  ASSERT_EQ(Only(run_), "static-schedule too-many-threads");
  const Advice advice = AdviceOn(run_)[0];
  EXPECT_EQ(advice.gain_ns, 0u);
  EXPECT_NEAR(static_cast<double>(advice.hidden_ns), 1.75e9, 0.15e9);
  for (Region::ThreadWork& work : region.thread_work) work.weight = 2 * kSecond + work.thread * kMillisecond;
  EXPECT_EQ(Only(run_), "too-many-threads");
}

TEST(Advice, SerialPart) {
  MadeUpRun run(4, 10 * kSecond);
  run.AddRegion("solve", 1, 6 * kSecond, 24 * kSecond, 6 * kSecond, 0);
  for (const uint32_t thread : {2, 3, 4}) run.AddWait(thread, OmptState::kIdle, 4 * kSecond);
  ASSERT_EQ(Only(run), "serial-part");
  EXPECT_EQ(AdviceOn(run)[0].gain_ns, 3 * kSecond);
}

// Many functions share a serial part. The advice names the function that calls them; its own time does not matter.
TEST(Advice, SerialPartIsInTheInnermostFunctionWithMostOfIt) {
  MadeUpRun run(4, 10 * kSecond);
  run.AddRegion("solve", 1, 6 * kSecond, 24 * kSecond, 6 * kSecond, 0);
  for (const uint32_t thread : {2, 3, 4}) run.AddWait(thread, OmptState::kIdle, 4 * kSecond);
  View& view = run.view;
  const auto called = [&view](PathId caller, const char* name) {
    return view.paths.Child(caller, view.frames.AddSynthesized(view.frames.AddFunction({name, "", "a.c", 1, 0})));
  };
  const auto add = [&view](PathId path, uint32_t thread, OmptState state, uint64_t weight, uint64_t blame) {
    ViewSample sample{};
    sample.path = path;
    sample.thread = thread;
    sample.state = state;
    sample.region = kNoFunction;
    sample.cost.weight = weight;
    sample.cost.blame = blame;
    view.samples.push_back(sample);
  };
  const auto name = [&run, &view] { return view.frames.function(AdviceOn(run)[0].where).name; };
  const PathId main = called(kEmptyPath, "main");
  const PathId read = called(main, "read");
  add(called(read, "parse"), 1, OmptState::kNone, 900 * kMillisecond, 0);  // before the runtime knew of the thread
  add(called(read, "check"), 1, OmptState::kWorkSerial, 900 * kMillisecond, 2700 * kMillisecond);
  add(called(called(read, "check"), "check"), 1, OmptState::kWorkSerial, 300 * kMillisecond, 900 * kMillisecond);
  add(called(main, "write"), 1, OmptState::kWorkSerial, 1000 * kMillisecond, 3000 * kMillisecond);
  add(called(main, "work"), 1, OmptState::kWorkParallel, 6 * kSecond, 0);  // in a region
  add(called(main, "logger"), 9, OmptState::kNone, 6 * kSecond, 0);        // not a thread of OpenMP
  EXPECT_EQ(name(), "read");
  // A thread that sleeps while the three others wait for it.
  add(called(main, "wait"), 1, OmptState::kWorkSerial, 0, 3 * 3200 * kMillisecond);
  EXPECT_EQ(name(), "wait");
  // Now no function within main has most of it.
  add(called(main, "write"), 1, OmptState::kWorkSerial, 2000 * kMillisecond, 0);
  EXPECT_EQ(name(), "main");
  // `kernel` is called from two places. One of these has most of it as well.
  add(called(called(main, "left"), "kernel"), 1, OmptState::kWorkSerial, 100 * kSecond, 0);
  add(called(called(main, "right"), "kernel"), 1, OmptState::kWorkSerial, 60 * kSecond, 0);
  EXPECT_EQ(name(), "kernel");
}

}  // namespace
}  // namespace ompprof::analyze

// Each piece of advice appears where its numbers are, and none appears where they are not.
#include "profiler/analyze/advice.h"

#include <gtest/gtest.h>

#include "proto/ompt_state.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::analyze {
namespace {

using test::kSecond;
using test::MadeUpRun;

constexpr uint64_t kMillisecond = 1000000;

std::vector<Advice> AdviceOn(const MadeUpRun& run) { return Advise(run.view, run.Measure()); }

// The name of the only piece of advice; "" for none, all names for several.
std::string Only(const MadeUpRun& run) {
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
  EXPECT_EQ(advice.gain_ns, 2500 * kMillisecond);
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
}

TEST(Advice, NotToBalanceThreadsThatTheKernelKeptFromRunning) {
  MadeUpRun run(2, 10 * kSecond);
  // Both threads have 7 s of work. Each lacked a processor for 2 s, and the other thread waited for it.
  run.AddRegion("solve", 1000, 9 * kSecond, 16 * kSecond, 9 * kSecond, 2 * kSecond).work_weight = 14 * kSecond;
  for (const uint32_t thread : {1, 2}) {
    ViewSample sample{};
    sample.thread = thread;
    sample.state = OmptState::kWorkParallel;
    sample.region = run.view.regions[0].construct;
    sample.cost.samples = 1400;
    sample.cost.weight = 7 * kSecond;
    run.view.samples.push_back(sample);
  }
  EXPECT_EQ(Only(run), "");
  // Here one thread has 5 s of work and the other 9.
  run.view.samples[0].cost.weight = 5 * kSecond;
  run.view.samples[1].cost.weight = 9 * kSecond;
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

TEST(Advice, ChunkTooSmall) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 10 * kSecond, 20 * kSecond, 10 * kSecond, 0);
  region.overhead_weight[static_cast<int>(Overhead::kScheduling)] = 6 * kSecond;
  region.loops.push_back({11, {}, 2, 2 * 1000000, 1000000});
  ASSERT_EQ(Only(run), "chunk-too-small");
  EXPECT_EQ(AdviceOn(run)[0].gain_ns, 3 * kSecond);
  EXPECT_EQ(AdviceOn(run)[0].chunk, 1u);
}

TEST(Advice, LocksByHowLongTheyAreHeld) {
  for (const auto& [waits, name] : {std::pair<uint64_t, const char*>{6000000, "short-critical"},
                                    {80000, "contended-lock"},
                                    {800, "long-held-lock"}}) {
    MadeUpRun run(2, 10 * kSecond);
    Region& region = run.AddRegion("solve", 1, 10 * kSecond, 12 * kSecond, 6 * kSecond, 0);
    region.lock_wait_ns = 8 * kSecond;
    run.AddWait(1, OmptState::kWaitCritical, 4 * kSecond, waits / 2, region.construct, 0x1000);
    run.AddWait(2, OmptState::kWaitCritical, 4 * kSecond, waits / 2, region.construct, 0x1000);
    ASSERT_EQ(Only(run), name);
    const Advice advice = AdviceOn(run)[0];
    EXPECT_EQ(advice.gain_ns, 4 * kSecond);
    EXPECT_EQ(advice.wait_id, 0x1000u);
    EXPECT_EQ(advice.count, waits);
  }
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
  ASSERT_EQ(Only(run), "tasks-too-fine");
  EXPECT_EQ(AdviceOn(run)[0].each_ns, 800u);
}

TEST(Advice, ThreadsThatSpinOnOthersProcessors) {
  MadeUpRun run(8, 10 * kSecond);
  run.process().machine.cpus = 2;
  Region& region = run.AddRegion("solve", 100, 10 * kSecond, 40 * kSecond, 6 * kSecond, 40 * kSecond);
  region.weight = 19 * kSecond;
  region.work_weight = 10 * kSecond;
  ViewSample spinning{};
  spinning.state = OmptState::kWaitBarrierImplicitParallel;
  spinning.region = region.construct;
  spinning.cost.weight = 9 * kSecond;
  run.view.samples.push_back(spinning);
  run.view.total_weight = 19 * kSecond;
  EXPECT_EQ(Only(run), "wait-policy too-many-threads");
  EXPECT_EQ(AdviceOn(run)[0].gain_ns, 4500 * kMillisecond);
  run.process().settings.push_back("OMP_WAIT_POLICY=PASSIVE");
  EXPECT_EQ(Only(run), "too-many-threads");
}

TEST(Advice, BindingWhereThreadsMoveBetweenSockets) {
  MadeUpRun run(2, 10 * kSecond);
  run.AddRegion("solve", 1, 10 * kSecond, 20 * kSecond, 10 * kSecond, 0);
  run.process().threads[0].socket_moves = 1;
  run.process().threads[1].socket_moves = 4;
  EXPECT_EQ(Only(run), "") << "one socket";
  run.process().machine.sockets = 2;
  EXPECT_EQ(Only(run), "binding");
  run.process().settings.push_back("OMP_PROC_BIND=close");
  EXPECT_EQ(Only(run), "");
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

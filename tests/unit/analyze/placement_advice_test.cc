// Advice on where threads run, of made-up masks, topologies and times.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "profiler/analyze/advice/advise.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::analyze {
namespace {

using test::kSecond;
using test::MadeUpRun;

// Threads that work in one region for 10 s, on a machine with `processors` processors.
struct PlacedRun : MadeUpRun {
  PlacedRun(uint32_t threads, uint32_t processors) : MadeUpRun(threads, 10 * kSecond) {
    AddRegion("solve", 1, 10 * kSecond, 10 * kSecond * threads, 10 * kSecond, 0);
    MachineFacts& machine = process().machine;
    machine.cpus = machine.online_cpus = processors;
    for (uint32_t i = 0; i < processors; ++i) {
      machine.may_use.insert(i);
      machine.processors[i] = {0, 0, i};
    }
    for (ThreadFacts& thread : process().threads) thread.placement.may_use = machine.may_use;
  }

  // The thread shares its processors, and has one for a part of its time.
  void Bind(uint32_t id, const ProcessorNumbers& may_use, double running) {
    ThreadFacts& thread = process().threads[id - 1];
    thread.placement.may_use = may_use;
    thread.cpu_ns = static_cast<uint64_t>(running * static_cast<double>(thread.lifetime_ns));
    thread.ready_ns = thread.lifetime_ns - thread.cpu_ns;
    thread.ready_of_ns = thread.lifetime_ns;
  }

  // The advice on placement.
  std::vector<Advice> Placed() {
    std::vector<Advice> placed;
    for (const Advice& advice : Advise(view, Measure()).advice) {
      const AdviceKind kind = advice.kind;
      if (kind == AdviceKind::kBoundTogether || kind == AdviceKind::kSharedCores || kind == AdviceKind::kBinding)
        placed.push_back(advice);
    }
    return placed;
  }
};

TEST(PlacementAdvice, NoneWhereTheKernelPlacesTheThreads) {
  PlacedRun run(4, 4);
  EXPECT_TRUE(run.Placed().empty());
  PlacedRun crowded(4, 2);
  for (uint32_t id = 1; id <= 4; ++id) crowded.Bind(id, {0, 1}, 0.5);
  EXPECT_TRUE(crowded.Placed().empty()) << "no processor is left";
}

TEST(PlacementAdvice, TwoThreadsOnOneProcessor) {
  PlacedRun run(2, 2);
  run.process().settings = {"OMP_NUM_THREADS=2", "OMP_PLACES={0}"};
  for (const uint32_t id : {1, 2}) run.Bind(id, {0}, 0.5);
  const std::vector<Advice> placed = run.Placed();
  ASSERT_EQ(placed.size(), 1u);
  const Advice& advice = placed[0];
  EXPECT_EQ(advice.kind, AdviceKind::kBoundTogether);
  EXPECT_EQ(advice.gain_ns, 5 * kSecond);
  EXPECT_EQ(advice.bound_to, ProcessorNumbers{0});
  EXPECT_EQ(advice.unused, ProcessorNumbers{1});
  EXPECT_EQ(advice.what, "OMP_PLACES={0}");
  EXPECT_EQ(advice.threads, 2);
  EXPECT_EQ(advice.wait_ns * 2, advice.of_ns);
}

// The other processor is not free, as far as other programs, or other threads of the process, use it.
TEST(PlacementAdvice, OnlyWhatIsFreeIsAGain) {
  PlacedRun run(2, 2);
  for (const uint32_t id : {1, 2}) run.Bind(id, {0}, 0.5);
  MachineFacts& machine = run.process().machine;
  machine.load_duration_ns = 10 * kSecond;
  machine.process_cpu_ns = 10 * kSecond;
  machine.busy_ns = 15 * kSecond;
  ASSERT_EQ(run.Placed().size(), 1u);
  EXPECT_NEAR(static_cast<double>(run.Placed()[0].gain_ns), (10 - 10 / 1.5) * 1e9, 1);
  machine.busy_ns = 20 * kSecond;
  EXPECT_TRUE(run.Placed().empty());

  PlacedRun threads(3, 2);
  for (const uint32_t id : {1, 2}) threads.Bind(id, {0}, 0.5);
  EXPECT_TRUE(threads.Placed().empty()) << "the third thread may use both";
  threads.process().threads[2].kind = ThreadKind::kOther;
  EXPECT_TRUE(threads.Placed().empty()) << "a thread outside of OpenMP keeps the other processor busy";
  threads.process().threads[2].cpu_ns = 0;
  EXPECT_EQ(threads.Placed().size(), 1u);
}

TEST(PlacementAdvice, ThreadsThatHardlyWaitMayShare) {
  PlacedRun run(2, 2);
  for (const uint32_t id : {1, 2}) {
    run.Bind(id, {0}, 0.45);
    run.process().threads[id - 1].ready_ns = kSecond / 10;  // and blocked for the rest
  }
  EXPECT_TRUE(run.Placed().empty());
}

TEST(PlacementAdvice, WithoutMasksNothingIsSaid) {
  PlacedRun run(2, 2);
  run.Bind(1, {0}, 0.5);
  run.Bind(2, {}, 0.5);
  EXPECT_TRUE(run.Placed().empty());
  run.Bind(2, {0}, 0.5);
  run.process().machine.may_use.clear();
  EXPECT_TRUE(run.Placed().empty()) << "of an older profile";
}

// Two cores with two processors each: 0 and 2 are a core.
TEST(PlacementAdvice, TwoThreadsOnOneCore) {
  PlacedRun run(2, 4);
  run.process().machine.processors = {{0, {0, 0, 0}}, {1, {0, 0, 1}}, {2, {0, 0, 0}}, {3, {0, 0, 1}}};
  run.Bind(1, {0}, 1);
  run.Bind(2, {2}, 1);
  const std::vector<Advice> placed = run.Placed();
  ASSERT_EQ(placed.size(), 1u);
  EXPECT_EQ(placed[0].kind, AdviceKind::kSharedCores);
  EXPECT_EQ(placed[0].gain_ns, 0u) << "not known";
  EXPECT_EQ(placed[0].bound_to, (ProcessorNumbers{0, 2}));
  EXPECT_EQ(placed[0].unused, (ProcessorNumbers{1, 3}));
  EXPECT_EQ(placed[0].count, 1u);
  run.Bind(2, {1}, 1);
  EXPECT_TRUE(run.Placed().empty()) << "a core each";
  run.Bind(1, {0}, 0.1);
  run.Bind(2, {2}, 0.1);
  for (ThreadFacts& thread : run.process().threads) thread.ready_ns = 0;
  EXPECT_TRUE(run.Placed().empty()) << "threads that hardly run";
}

TEST(PlacementAdvice, ThreadsThatMoveBetweenSockets) {
  PlacedRun run(2, 2);
  for (ThreadFacts& thread : run.process().threads) {
    thread.placement.ran_on = {{0, 9 * kSecond}, {1, kSecond}};
    thread.placement.moves = 4;
  }
  EXPECT_TRUE(run.Placed().empty()) << "one socket";
  run.process().machine.processors[1].package = 1;
  ASSERT_EQ(run.Placed().size(), 1u);
  EXPECT_EQ(run.Placed()[0].kind, AdviceKind::kBinding);
  EXPECT_EQ(run.Placed()[0].wait_ns * 10, run.Placed()[0].of_ns);
  for (ThreadFacts& thread : run.process().threads) thread.placement.moves = 1;
  EXPECT_TRUE(run.Placed().empty()) << "each has moved once";
  for (ThreadFacts& thread : run.process().threads) thread.placement.moves = 4;
  run.process().settings.push_back("OMP_PROC_BIND=close");
  EXPECT_TRUE(run.Placed().empty());
}

}  // namespace
}  // namespace ompprof::analyze

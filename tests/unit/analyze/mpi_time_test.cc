// Time in MPI: known figures from made-up threads, alone and in the run's efficiency.
#include "profiler/analyze/account/mpi_time.h"

#include <gtest/gtest.h>

#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/builder/account_threads.h"
#include "profiler/analyze/compare/ranks.h"
#include "profiler/analyze/view/state_kind.h"
#include "proto/ompt_state.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::analyze {
namespace {

using test::kSecond;
using test::MadeUpRun;

// A rank of two OpenMP threads that lives for 10 s.
class MpiTimeTest : public ::testing::Test {
 protected:
  MpiTimeTest() : run_(2, 10 * kSecond) {
    run_.process().rank = "0";
    run_.process().sampling.clock = "cpu";
    for (ThreadFacts& thread : run_.process().threads) thread.cpu_ns = 10 * kSecond;
    PathTree& paths = run_.view.paths;
    FrameTable& frames = run_.view.frames;
    work_ = paths.Child(kEmptyPath, frames.AddPseudo("work"));
  }

  void AddSample(uint32_t thread, PathId path, OmptState state, uint64_t seconds) {
    ViewSample sample{};
    sample.path = path;
    sample.thread = thread;
    sample.state = state;
    sample.in_wait = IsMeasuredWait(state);
    sample.cost.samples = 10;
    sample.cost.weight = seconds * kSecond;
    run_.view.samples.push_back(sample);
  }

  MpiTime Mpi() {
    run_.view.accounts = AccountThreads(run_.view);
    return MeasureMpi(run_.view);
  }

  uint64_t Weight(uint32_t thread) {
    const MpiTime mpi = Mpi();
    const auto found = mpi.threads.find({0, thread});
    return found == mpi.threads.end() ? 0 : found->second;
  }

  MadeUpRun run_;
  PathId work_;
};

// The first thread works for 4 s and polls in MPI for 6 s, while the second is idle and spins. Both are of a rank whose
// efficiency is 4 / 20, in the run's efficiency as in the table of ranks.
TEST_F(MpiTimeTest, PollingIsNotUsefulAndTheTwoEfficienciesAgree) {
  AddSample(1, work_, OmptState::kWorkSerial, 4);
  AddSample(1, work_, kStateMpi, 6);
  AddSample(2, work_, OmptState::kIdle, 10);
  run_.AddWait(2, OmptState::kIdle, 10 * kSecond);
  const MpiTime mpi = Mpi();
  EXPECT_EQ(mpi.uses, std::vector<bool>{true});
  EXPECT_EQ(Weight(1), 6 * kSecond);
  EXPECT_EQ(Weight(2), 0u);

  const Efficiency efficiency = MeasureEfficiency(run_.view, mpi);
  EXPECT_EQ(efficiency.mpi_ns, 6 * kSecond);
  EXPECT_EQ(efficiency.off_cpu_ns(), 0u);
  EXPECT_EQ(efficiency.idle_ns, 10 * kSecond);
  EXPECT_EQ(efficiency.useful_ns, 4 * kSecond);
  EXPECT_DOUBLE_EQ(efficiency.parallel(), 0.2);

  const Ranks ranks = CompareRanks(run_.view, mpi);
  ASSERT_EQ(ranks.ranks.size(), 1u);
  EXPECT_DOUBLE_EQ(ranks.Efficiency(ranks.ranks[0]), efficiency.parallel());
}

// The first thread sleeps in MPI for 6 s. The second sleeps for 3 of the 5 s of its waits and spins for 2 s: its other
// 5 s are work.
TEST_F(MpiTimeTest, SleepOutsideOfWaitsIsNotUseful) {
  run_.process().threads[0].cpu_ns = 4 * kSecond;
  run_.process().threads[1].cpu_ns = 7 * kSecond;
  AddSample(1, work_, OmptState::kWorkSerial, 4);
  AddSample(2, work_, OmptState::kWorkParallel, 5);
  AddSample(2, work_, OmptState::kWaitBarrierImplicit, 2);
  run_.AddWait(2, OmptState::kWaitBarrierImplicit, 5 * kSecond);
  EXPECT_EQ(Mpi().uses, std::vector<bool>{false});

  run_.process().modules.emplace_back().path = "/usr/lib/x86_64-linux-gnu/libmpi.so.40";
  const MpiTime mpi = Mpi();
  EXPECT_EQ(mpi.uses, std::vector<bool>{true});
  const Efficiency efficiency = MeasureEfficiency(run_.view, mpi);
  EXPECT_EQ(efficiency.mpi_ns, 0u);
  EXPECT_EQ(efficiency.off_cpu_ns(), 6 * kSecond);
  EXPECT_EQ(efficiency.useful_ns, 9 * kSecond);
  EXPECT_EQ(efficiency.useful_max_ns, 5 * kSecond);
  const Ranks ranks = CompareRanks(run_.view, mpi);
  EXPECT_EQ(ranks.ranks[0].off_cpu_ns, 6 * kSecond);
  EXPECT_DOUBLE_EQ(ranks.Efficiency(ranks.ranks[0]), efficiency.parallel());
}

TEST_F(MpiTimeTest, WallClockSamplesHaveTheSleep) {
  run_.process().sampling.clock = "wall";
  run_.process().threads[0].cpu_ns = kSecond;
  AddSample(1, work_, OmptState::kWorkSerial, 1);
  AddSample(1, work_, kStateMpi, 9);
  EXPECT_EQ(Weight(1), 9 * kSecond);
  const Efficiency efficiency = MeasureEfficiency(run_.view, Mpi());
  EXPECT_EQ(efficiency.mpi_ns, 9 * kSecond);
  EXPECT_EQ(efficiency.off_cpu_ns(), 0u);
  EXPECT_EQ(efficiency.useful_ns, 11 * kSecond);
}

TEST_F(MpiTimeTest, EventsAreNotSubtractedFromTime) {
  run_.process().sampling.weight_unit = "events";
  run_.process().sampling.clock = "cycles";
  AddSample(1, work_, kStateMpi, 9);
  const Efficiency efficiency = MeasureEfficiency(run_.view, Mpi());
  EXPECT_EQ(efficiency.mpi_ns, 0u);
  EXPECT_EQ(efficiency.useful_ns, 20 * kSecond);
}

}  // namespace
}  // namespace ompprof::analyze

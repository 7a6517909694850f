// How much time a mended imbalance or lock would save: known answers from made-up work and waits. A gain beyond what
// the processors or the busiest thread allow fails.
#include "profiler/analyze/account/gain.h"

#include <gtest/gtest.h>

#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::analyze {
namespace {

using test::kSecond;
using test::MadeUpRun;

TEST(Gain, ImbalanceIsTheWaitsSharedOut) {
  MadeUpRun run(4, 10 * kSecond);
  // One of four threads works 8 s, the others 4 s: equal work would take 5 s.
  const Region& region = run.AddRegion("solve", 2, 8 * kSecond, 20 * kSecond, 8 * kSecond, 12 * kSecond);
  const Gains gains = PotentialGains(run.view, region);
  EXPECT_EQ(gains[Cause::kImbalance], 3 * kSecond);
  EXPECT_EQ(gains.total(), 3 * kSecond);
  EXPECT_DOUBLE_EQ(region.Imbalance(), 0.6);
}

TEST(Gain, ALockThatOnlyTheIdlerWaitsForGainsNothing) {
  MadeUpRun run(2, 10 * kSecond);
  // The first thread works all the time. The second waits 4 s for a lock of the first.
  Region& region = run.AddRegion("solve", 1, 10 * kSecond, 16 * kSecond, 10 * kSecond, 0);
  region.lock_wait_ns = 4 * kSecond;
  EXPECT_EQ(PotentialGains(run.view, region)[Cause::kSerialization], 0u);
}

TEST(Gain, ALockThatAllWaitFor) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 10 * kSecond, 12 * kSecond, 6 * kSecond, 0);
  region.lock_wait_ns = 8 * kSecond;
  EXPECT_EQ(PotentialGains(run.view, region)[Cause::kSerialization], 4 * kSecond);
}

TEST(Gain, NoFasterThanTheProcessorsAllow) {
  MadeUpRun run(4, 10 * kSecond);
  run.process().machine.cpus = 2;
  // 14 s of work on two processors take 7 s, in whatever shares.
  const Region& region = run.AddRegion("solve", 1, 8 * kSecond, 14 * kSecond, 8 * kSecond, 18 * kSecond);
  EXPECT_EQ(PotentialGains(run.view, region)[Cause::kImbalance], 1 * kSecond);
}

// Other programs come in the way: the threads had a processor for half of the time in which they could run. Waits are
// longer then, and 8 s of work take 8 s of wall time.
TEST(Gain, NoFasterThanTheProcessorsThatThreadsHad) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 10 * kSecond, 8 * kSecond, 4 * kSecond, 0);
  region.lock_wait_ns = 12 * kSecond;
  EXPECT_EQ(PotentialGains(run.view, region)[Cause::kSerialization], 6 * kSecond);
  for (ThreadFacts& thread : run.process().threads) {
    thread.cpu_ns = thread.ready_ns = 5 * kSecond;
    thread.ready_of_ns = thread.lifetime_ns;
  }
  run.Measure();
  EXPECT_EQ(PotentialGains(run.view, region)[Cause::kSerialization], 2 * kSecond);
}

TEST(Gain, RuntimeOverheadIsSharedOut) {
  MadeUpRun run(2, 10 * kSecond);
  Region& region = run.AddRegion("solve", 1, 10 * kSecond, 20 * kSecond, 10 * kSecond, 0);
  region.overhead_weight[static_cast<int>(Overhead::kScheduling)] = 4 * kSecond;
  region.overhead_weight[static_cast<int>(Overhead::kTasking)] = 2 * kSecond;
  const Gains gains = PotentialGains(run.view, region);
  EXPECT_EQ(gains[Cause::kScheduling], 2 * kSecond);
  EXPECT_EQ(gains[Cause::kTasking], 1 * kSecond);
}

TEST(Gain, NoneInATeamOfOne) {
  MadeUpRun run(1, 10 * kSecond);
  const Region& region = run.AddRegion("solve", 1, 8 * kSecond, 7 * kSecond, 7 * kSecond, kSecond);
  EXPECT_EQ(PotentialGains(run.view, region).total(), 0u);
}

TEST(Overhead, GoesByTheFunctionCalled) {
  EXPECT_EQ(OverheadOf("__kmpc_dispatch_next_4"), Overhead::kScheduling);
  EXPECT_EQ(OverheadOf("GOMP_loop_nonmonotonic_dynamic_next"), Overhead::kScheduling);
  EXPECT_EQ(OverheadOf("__kmpc_fork_call"), Overhead::kForkJoin);
  EXPECT_EQ(OverheadOf("GOMP_parallel_loop_dynamic"), Overhead::kForkJoin);
  EXPECT_EQ(OverheadOf("__kmpc_omp_task_alloc"), Overhead::kTasking);
  EXPECT_EQ(OverheadOf("GOMP_taskloop"), Overhead::kTasking);
  EXPECT_EQ(OverheadOf("__kmpc_omp_taskwait"), Overhead::kSync);
  EXPECT_EQ(OverheadOf("GOMP_critical_start"), Overhead::kSync);
  EXPECT_EQ(OverheadOf("omp_set_lock"), Overhead::kSync);
  EXPECT_EQ(OverheadOf("omp_get_wtime"), Overhead::kOther);
  EXPECT_EQ(OverheadOf(""), Overhead::kForkJoin);
}

}  // namespace
}  // namespace ompprof::analyze

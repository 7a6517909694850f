// Ranks side by side: known figures from made-up processes.
#include "profiler/analyze/ranks.h"

#include <gtest/gtest.h>

#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

constexpr uint64_t kSecond = 1000000000;

class RanksTest : public ::testing::Test {
 protected:
  RanksTest() {
    work_ = view_.paths.Child(kEmptyPath, view_.frames.AddPseudo("work"));
    in_mpi_ = view_.paths.Child(view_.paths.Child(work_, view_.frames.AddPseudo("MPI_Allreduce")),
                                view_.frames.AddPseudo("poll"));
  }

  // A process of two OpenMP threads and a thread of MPI's own.
  uint32_t AddProcess(const std::string& rank, uint64_t seconds) {
    std::vector<ProcessFacts>& processes = view_.run.processes;
    ProcessFacts& process = processes.emplace_back();
    process.rank = rank;
    process.host = "node7";
    process.pid = 100 + processes.size();
    process.duration_ns = process.cpu_ns = seconds * kSecond;
    for (const ThreadKind kind : {ThreadKind::kInitial, ThreadKind::kWorker, ThreadKind::kUnknown})
      process.threads.emplace_back().kind = kind;
    return static_cast<uint32_t>(processes.size() - 1);
  }

  void AddSample(uint32_t process, PathId path, OmptState state, uint64_t seconds) {
    ViewSample sample{};
    sample.path = path;
    sample.process = process;
    sample.state = state;
    sample.cost.samples = 10;
    sample.cost.weight = seconds * kSecond;
    view_.samples.push_back(sample);
  }

  View view_;
  model::Symbolizer symbolizer_;
  PathId work_;
  PathId in_mpi_;
};

TEST_F(RanksTest, TellsUsefulTimeFromTheRest) {
  // Rank r computes r + 1 seconds, and spends the rest of its time in MPI.
  for (uint32_t rank = 0; rank < 4; ++rank) {
    const uint32_t process = AddProcess(std::to_string(rank), 10);
    AddSample(process, work_, OmptState::kWorkSerial, rank);
    AddSample(process, work_, OmptState::kNone, 1);  // a thread that the runtime does not know
    AddSample(process, in_mpi_, OmptState::kWorkSerial, 4 - rank);
    AddSample(process, work_, OmptState::kWaitBarrier, 3);  // spins at a barrier
    AddSample(process, work_, OmptState::kIdle, 3);
    AddSample(process, work_, OmptState::kOverhead, 3);
  }
  WaitTotal wait{};
  wait.process = 2;
  wait.state = OmptState::kWaitBarrier;
  wait.total_ns = 7;
  view_.waits.push_back(wait);
  wait.charge = true;  // others' wait for a lock that this thread had
  view_.waits.push_back(wait);
  wait.charge = false;
  wait.state = OmptState::kIdle;
  view_.waits.push_back(wait);

  const Ranks ranks = CompareRanks(view_, symbolizer_);
  ASSERT_EQ(ranks.ranks.size(), 4u);
  for (uint32_t rank = 0; rank < 4; ++rank) {
    const RankCost& cost = ranks.ranks[rank];
    EXPECT_EQ(cost.rank, std::to_string(rank));
    EXPECT_EQ(cost.useful, (rank + 1) * kSecond);
    EXPECT_EQ(cost.mpi, (4 - rank) * kSecond);
    EXPECT_EQ(cost.cpu_ns, 10 * kSecond);
    EXPECT_EQ(cost.threads, 2u);
    EXPECT_EQ(cost.wait_ns, rank == 2 ? 7u : 0u);
    EXPECT_DOUBLE_EQ(ranks.Efficiency(cost), (rank + 1) / 20.0);
  }
  EXPECT_DOUBLE_EQ(ranks.Imbalance(&RankCost::useful), 4 / 2.5 - 1);
  EXPECT_DOUBLE_EQ(ranks.Imbalance(&RankCost::cpu_ns), 0);
  EXPECT_DOUBLE_EQ(ranks.Imbalance(&RankCost::wait_ns), 3);
  EXPECT_EQ(ranks.Largest(&RankCost::useful).rank, "3");
}

TEST_F(RanksTest, OrderIsThatOfNumbersAndARankIsOneRow) {
  AddProcess("10", 1);
  AddProcess("", 2);
  AddProcess("2", 3);
  AddProcess("10", 5);  // started by rank 10
  AddProcess("", 4);
  const Ranks ranks = CompareRanks(view_, symbolizer_);
  ASSERT_EQ(ranks.ranks.size(), 4u);
  EXPECT_EQ(ranks.ranks[0].rank, "2");
  EXPECT_EQ(ranks.ranks[1].rank, "10");
  EXPECT_EQ(ranks.ranks[1].processes, 2u);
  EXPECT_EQ(ranks.ranks[1].pid, 101u);
  EXPECT_EQ(ranks.ranks[1].duration_ns, 5 * kSecond);
  EXPECT_EQ(ranks.ranks[1].cpu_ns, 6 * kSecond);
  EXPECT_EQ(ranks.ranks[1].threads, 4u);
  EXPECT_EQ(ranks.ranks[2].pid, 102u);
  EXPECT_EQ(ranks.ranks[3].pid, 105u);
  EXPECT_EQ(ranks.duration_ns, 5 * kSecond);
}

TEST(IsMpi, ByNameOrLibrary) {
  EXPECT_TRUE(IsMpi("MPI_Barrier", "/usr/bin/solver"));
  EXPECT_TRUE(IsMpi("PMPI_Recv", ""));
  EXPECT_TRUE(IsMpi("opal_progress", "/usr/lib/x86_64-linux-gnu/libmpi.so.40"));
  EXPECT_TRUE(IsMpi("mpi_barrier_", "/usr/lib/libmpi_mpifh.so.40"));
  EXPECT_TRUE(IsMpi("x", "/usr/lib/libmpich.so.12"));
  EXPECT_FALSE(IsMpi("my_MPI_wrapper", "/usr/bin/libmpi/solver"));
  EXPECT_FALSE(IsMpi("solve", "/usr/lib/libgomp.so.1"));
}

}  // namespace
}  // namespace ompprof::analyze

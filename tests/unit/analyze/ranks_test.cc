// Ranks side by side: known figures from made-up processes.
#include "profiler/analyze/compare/ranks.h"

#include <gtest/gtest.h>

#include "profiler/analyze/view/state_kind.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

constexpr uint64_t kSecond = 1000000000;

class RanksTest : public ::testing::Test {
 protected:
  RanksTest() { work_ = view_.paths.Child(kEmptyPath, view_.frames.AddPseudo("work")); }

  // A process of two OpenMP threads and a thread of MPI's own.
  uint32_t AddProcess(const std::string& rank, uint64_t seconds) {
    std::vector<ProcessFacts>& processes = view_.run.processes;
    ProcessFacts& process = processes.emplace_back();
    process.rank = rank;
    process.host = "node7";
    process.pid = 100 + processes.size();
    process.duration_ns = process.cpu_ns = seconds * kSecond;
    for (const ThreadKind kind : {ThreadKind::kInitial, ThreadKind::kWorker, ThreadKind::kUnknown}) {
      ThreadFacts& thread = process.threads.emplace_back();
      thread.kind = kind;
      thread.lifetime_ns = process.duration_ns;
    }
    return static_cast<uint32_t>(processes.size() - 1);
  }

  void AddSample(uint32_t process, PathId path, OmptState state, uint64_t seconds, FunctionId region = kNoFunction,
                 uint32_t thread = 0) {
    ViewSample sample{};
    sample.region = region;
    sample.thread = thread;
    sample.path = path;
    sample.process = process;
    sample.state = state;
    sample.cost.samples = 10;
    sample.cost.weight = seconds * kSecond;
    view_.samples.push_back(sample);
  }

  Ranks Compare() const { return CompareRanks(view_, MeasureMpi(view_)); }

  View view_;
  PathId work_;
};

TEST_F(RanksTest, TellsUsefulTimeFromTheRest) {
  // Rank r computes r + 1 seconds, and spends the rest of its time in MPI.
  for (uint32_t rank = 0; rank < 4; ++rank) {
    const uint32_t process = AddProcess(std::to_string(rank), 10);
    AddSample(process, work_, OmptState::kWorkSerial, rank);
    AddSample(process, work_, OmptState::kNone, 1);  // a thread that the runtime does not know
    AddSample(process, work_, kStateMpi, 4 - rank);
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

  const Ranks ranks = Compare();
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
  EXPECT_DOUBLE_EQ(ranks.Imbalance(ranks.jobs[0], &RankCost::useful), 4 / 2.5 - 1);
  EXPECT_DOUBLE_EQ(ranks.Imbalance(ranks.jobs[0], &RankCost::cpu_ns), 0);
  EXPECT_DOUBLE_EQ(ranks.Imbalance(ranks.jobs[0], &RankCost::wait_ns), 3);
  EXPECT_EQ(ranks.Largest(ranks.jobs[0], &RankCost::useful).rank, "3");
}

TEST_F(RanksTest, OrderIsThatOfNumbersAndARankIsOneRow) {
  AddProcess("10", 1);
  AddProcess("", 2);
  AddProcess("2", 3);
  AddProcess("10", 5);  // started by rank 10
  AddProcess("", 4);
  const Ranks ranks = Compare();
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
  ASSERT_EQ(ranks.jobs.size(), 2u) << "the ranks, and the processes without a rank";
  EXPECT_EQ(ranks.jobs[0].duration_ns, 5 * kSecond);
  EXPECT_EQ(ranks.jobs[1].duration_ns, 4 * kSecond);
  EXPECT_EQ(ranks.jobs[1].first, 2u);
}

// mpirun of two ranks, and then another program. Neither mpirun nor the program is in the ranks' imbalance.
TEST_F(RanksTest, FiguresAreOfOneJob) {
  const uint32_t mpirun = AddProcess("", 12);
  view_.run.processes[mpirun].program = "/usr/bin/mpirun";
  for (const char* rank : {"0", "1"}) {
    const uint32_t process = AddProcess(rank, 10);
    view_.run.processes[process].program = "/opt/solver";
    AddSample(process, work_, OmptState::kWorkParallel, *rank == '0' ? 8 : 12);
  }
  const uint32_t post = AddProcess("", 2);
  view_.run.processes[post].program = "/opt/post";
  view_.run.processes[post].start_unix_ns = 20 * static_cast<int64_t>(kSecond);
  AddSample(post, work_, OmptState::kWorkSerial, 1);
  AddSample(mpirun, work_, OmptState::kNone, 7);

  const Ranks ranks = Compare();
  ASSERT_EQ(ranks.ranks.size(), 3u);
  ASSERT_EQ(ranks.jobs.size(), 2u);
  EXPECT_EQ(ranks.ranks[0].program, "solver");
  EXPECT_EQ(ranks.ranks[1].job, 1u);
  EXPECT_EQ(ranks.ranks[2].program, "post");
  EXPECT_EQ(ranks.ranks[2].job, 2u);
  ASSERT_NE(ranks.MainJob(), nullptr);
  EXPECT_EQ(ranks.MainJob()->program, "solver");
  EXPECT_DOUBLE_EQ(ranks.Imbalance(*ranks.MainJob(), &RankCost::useful), 0.2);
  EXPECT_DOUBLE_EQ(ranks.Imbalance(ranks.jobs[1], &RankCost::useful), 0);
  EXPECT_DOUBLE_EQ(ranks.Efficiency(ranks.ranks[1]), 12.0 / 20);
  EXPECT_DOUBLE_EQ(ranks.Efficiency(ranks.ranks[2]), 1.0 / 4) << "of its own 2 s";
  ASSERT_EQ(ranks.others.size(), 1u);
  EXPECT_EQ(ranks.others[0].program, "mpirun");
  EXPECT_EQ(ranks.others[0].pid, 101u);
}

TEST_F(RanksTest, ProgramsInTurnHaveNoImbalance) {
  for (int64_t i = 0; i < 3; ++i) {
    ProcessFacts& process = view_.run.processes[AddProcess("", 10)];
    process.start_unix_ns = 10 * i * static_cast<int64_t>(kSecond);
    process.program = "/opt/solver";
  }
  const Ranks ranks = Compare();
  EXPECT_EQ(ranks.jobs.size(), 3u);
  EXPECT_EQ(ranks.MainJob(), nullptr);
}

// A rank without OpenMP: its main thread works, and three threads of MPI sleep.
TEST_F(RanksTest, ThreadsOfMpiDoNotCount) {
  const uint32_t rank = AddProcess("0", 10);
  ProcessFacts& process = view_.run.processes[rank];
  process.threads.resize(4);
  for (ThreadFacts& thread : process.threads) {
    thread.kind = ThreadKind::kUnknown;
    thread.lifetime_ns = 10 * kSecond;
    thread.cpu_ns = kSecond / 20;
  }
  process.threads[0].kind = ThreadKind::kMain;
  process.threads[0].cpu_ns = 10 * kSecond;
  AddSample(rank, work_, OmptState::kNone, 6);
  EXPECT_EQ(Compare().ranks[0].threads, 4u) << "a program without MPI may let its threads sleep";
  AddSample(rank, work_, kStateMpi, 4);
  EXPECT_EQ(Compare().ranks[0].threads, 1u);
  EXPECT_DOUBLE_EQ(Compare().Efficiency(Compare().ranks[0]), 0.6);
  process.threads[3].cpu_ns = kSecond;  // works
  EXPECT_EQ(Compare().ranks[0].threads, 2u);
}

TEST_F(RanksTest, ThreadsThatFollowEachOtherAreOne) {
  ProcessFacts& process = view_.run.processes[AddProcess("0", 100)];
  for (uint64_t i = 0; i < 50; ++i) {
    ThreadFacts& thread = process.threads.emplace_back();
    thread.kind = ThreadKind::kWorker;
    thread.start_mono_ns = i * 2 * kSecond;
    thread.lifetime_ns = kSecond;
  }
  EXPECT_EQ(Compare().ranks[0].threads, 3u);
}

// Rank 2 is late in the first region by 6 s, rank 0 in the second by 2 s. Rank 1 spends most time in MPI.
TEST_F(RanksTest, TheLateRankOfEachRegion) {
  const FunctionId even = view_.frames.AddFunction({"even [omp parallel a.c:1]", "", "a.c", 1, 0});
  const FunctionId uneven = view_.frames.AddFunction({"uneven [omp parallel a.c:2]", "", "a.c", 2, 0});
  const uint64_t in_even[] = {5, 2, 2};
  const uint64_t in_uneven[] = {3, 3, 12};
  const uint64_t in_mpi[] = {4, 10, 1};
  for (uint32_t rank = 0; rank < 3; ++rank) {
    const uint32_t process = AddProcess(std::to_string(rank), 20);
    AddSample(process, work_, OmptState::kWorkParallel, in_even[rank], even);
    AddSample(process, work_, OmptState::kWorkParallel, in_uneven[rank], uneven);
    AddSample(process, work_, OmptState::kWaitBarrierExplicit, 7, even);
    AddSample(process, work_, OmptState::kWorkSerial, 1);
    AddSample(process, work_, kStateMpi, in_mpi[rank] - 1);
    AddSample(process, work_, kStateMpi, 1, uneven);
  }
  AddSample(AddProcess("", 5), work_, OmptState::kWorkParallel, 5, uneven);  // another job

  const Ranks ranks = Compare();
  ASSERT_EQ(ranks.regions.size(), 3u);
  const RankRegion& first = ranks.regions[0];
  EXPECT_EQ(first.construct, uneven);
  EXPECT_EQ(ranks.ranks[first.late].rank, "2");
  EXPECT_EQ(first.late_useful, 12 * kSecond);
  EXPECT_EQ(first.late_samples, 10u);
  EXPECT_EQ(first.useful, 18 * kSecond);
  EXPECT_DOUBLE_EQ(ranks.Mean(first), 6e9);
  EXPECT_DOUBLE_EQ(ranks.LateBy(first), 6e9);
  EXPECT_EQ(first.mpi, 3 * kSecond);
  EXPECT_EQ(first.others_mpi, 14 * kSecond);
  EXPECT_EQ(ranks.ranks[first.most_mpi].rank, "1");
  const RankRegion& second = ranks.regions[1];
  EXPECT_EQ(second.construct, even);
  EXPECT_EQ(ranks.ranks[second.late].rank, "0");
  EXPECT_DOUBLE_EQ(ranks.LateBy(second), 2e9);
  EXPECT_EQ(second.mpi, 0u);
  EXPECT_EQ(second.others_mpi, 11 * kSecond);
  EXPECT_EQ(ranks.regions[2].construct, kNoFunction);
  EXPECT_EQ(ranks.regions[2].useful, 3 * kSecond);
}

// The ranks' threads 1 and 2 work 9 and 3 s, and 4 s each.
TEST_F(RanksTest, ImbalanceWithinARank) {
  const uint64_t seconds[2][2] = {{9, 3}, {4, 4}};
  for (uint32_t rank = 0; rank < 2; ++rank) {
    const uint32_t process = AddProcess(std::to_string(rank), 10);
    std::vector<ThreadFacts>& threads = view_.run.processes[process].threads;
    for (uint32_t i = 0; i < 2; ++i) {
      threads[i].id = i + 1;
      AddSample(process, work_, OmptState::kWorkParallel, seconds[rank][i], kNoFunction, i + 1);
      AddSample(process, work_, kStateMpi, 3, kNoFunction, 2);
    }
  }
  const Ranks ranks = Compare();
  EXPECT_EQ(ranks.ranks[0].useful_max, 9 * kSecond);
  EXPECT_DOUBLE_EQ(Ranks::ThreadImbalance(ranks.ranks[0]), 0.5);
  EXPECT_DOUBLE_EQ(Ranks::ThreadImbalance(ranks.ranks[1]), 0);
}

}  // namespace
}  // namespace ompprof::analyze

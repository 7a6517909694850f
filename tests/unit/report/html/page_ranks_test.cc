// The ranks of unified jobs for the page: one by one, and in groups of neighbours.
#include "profiler/report/html/page_ranks.h"

#include <gtest/gtest.h>

#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::report {
namespace {

using test::MadeUpRun;

// `count` ranks with two columns. Rank r works r nanoseconds in all, and (r, 255 - r) / 255 of the columns.
MadeUpRun Job(uint32_t count) {
  MadeUpRun run(2, 10 * test::kSecond);
  run.view.run.processes[0].members = count;
  run.view.run.processes[0].job_time = {1000, 2, false};
  for (uint32_t rank = 0; rank < count; ++rank) {
    analyze::JobMember member;
    member.rank = std::to_string(rank);
    member.host = "node";
    member.pid = 100 + rank;
    member.useful = rank;
    member.kept = rank == 1;
    member.work_time = {static_cast<char>(rank), static_cast<char>(255 - rank)};
    member.mpi_time = {0, 0};
    member.wait_time = {1, 0};
    run.view.job_members.push_back(member);
  }
  return run;
}

TEST(PageRanks, HaveARowEach) {
  const auto data = RankData(Job(3).view, 10);
  ASSERT_EQ(data.size(), 1u);
  const auto& program = data[0];
  EXPECT_EQ(program["column_ns"], 1000);
  EXPECT_EQ(program["columns"], 2);
  EXPECT_EQ(program["label"], (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(program["ranks"], (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(program["work"], (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(program["kept"], (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(program["timed"], (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(program["work_time"], "AP8B/gL9");  // the bytes 0 255 1 254 2 253
  EXPECT_EQ(program["wait_time"], "AQABAAEA");
}

TEST(PageRanks, AreGroupsOfNeighboursIfTheyAreMany) {
  MadeUpRun run = Job(7);
  run.view.job_members[4].work_time.clear();  // has no timeline
  run.view.job_members[5].work_time.clear();
  run.view.job_members[6].work_time.clear();
  const auto data = RankData(run.view, 3);
  const auto& program = data[0];
  EXPECT_EQ(program["label"], (std::vector<std::string>{"0 to 2", "3 to 5", "6"}));
  EXPECT_EQ(program["ranks"], (std::vector<int>{3, 3, 1}));
  EXPECT_EQ(program["work"], (std::vector<int>{1, 4, 6}));
  EXPECT_EQ(program["kept"], (std::vector<int>{0, 0, 0})) << "a group has no records of its own";
  EXPECT_EQ(program["timed"], (std::vector<int>{1, 1, 0}));
  EXPECT_EQ(program["work_time"], "Af4D/AAA");  // the bytes 1 254, 3 252, 0 0
}

TEST(PageRanks, AreNullWithoutAUnifiedJob) { EXPECT_TRUE(RankData(MadeUpRun(2, test::kSecond).view, 10).is_null()); }

}  // namespace
}  // namespace ompprof::report

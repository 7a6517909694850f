// Processes of a run in jobs: made-up processes with known programs, ranks and times.
#include "profiler/analyze/compare/jobs.h"

#include <gtest/gtest.h>

namespace ompprof::analyze {
namespace {

constexpr uint64_t kSecond = 1000000000;

// The start of every run, in seconds.
constexpr int64_t kStart = 1000;

class JobsTest : public ::testing::Test {
 protected:
  struct Made {
    std::string program;
    std::string rank = {};
    int64_t start_s = 0;
    uint64_t seconds = 10;
    double cpu_s = 5;
    bool openmp = false;
    uint64_t pid = 0;  // 0: the process's number in the run, from 100
    uint64_t parent = 1;
  };

  uint32_t Add(const Made& made) {
    const auto number = static_cast<uint32_t>(run_.processes.size());
    ProcessFacts& process = run_.processes.emplace_back();
    process.program = "/opt/bin/" + made.program;
    process.host = "node7";
    process.rank = made.rank;
    process.pid = made.pid == 0 ? 100 + number : made.pid;
    process.parent_pid = made.parent;
    process.start_unix_ns = (kStart + made.start_s) * static_cast<int64_t>(kSecond);
    process.duration_ns = made.seconds * kSecond;
    process.cpu_ns = static_cast<uint64_t>(made.cpu_s * 1e9);
    if (made.openmp) process.runtimes.emplace_back();
    return number;
  }

  // "solver: 0 1+4; post: 5; others: 2 3", with the processes' numbers.
  std::string Find() const {
    const Jobs jobs = FindJobs(run_);
    std::string text;
    for (const Job& job : jobs.jobs) {
      text += job.program + ":";
      for (const Job::Member& member : job.members) {
        for (size_t i = 0; i < member.size(); ++i) text += (i == 0 ? " " : "+") + std::to_string(member[i]);
      }
      text += "; ";
    }
    text += "others:";
    for (const uint32_t other : jobs.others) text += " " + std::to_string(other);
    return text;
  }

  RunFacts run_;
};

TEST_F(JobsTest, LaunchersShellsAndSmallHelpersAreApart) {
  Add({.program = "bash", .seconds = 12, .cpu_s = 4});
  Add({.program = "orterun", .seconds = 11, .cpu_s = 4});
  Add({.program = "solver", .rank = "1"});
  Add({.program = "solver", .rank = "0"});
  Add({.program = "orted", .seconds = 11});
  Add({.program = "sed", .start_s = 10, .seconds = 1, .cpu_s = 0.04});
  Add({.program = "plot", .start_s = 11, .seconds = 1, .cpu_s = 0.06});
  EXPECT_EQ(Find(), "solver: 3 2; plot: 6; others: 0 1 4 5");
}

TEST_F(JobsTest, AnIdleRankAndAShortOpenMpProgramAreNoHelpers) {
  Add({.program = "solver", .rank = "0"});
  Add({.program = "solver", .rank = "1", .cpu_s = 0});
  Add({.program = "server", .rank = "2", .cpu_s = 0});
  Add({.program = "quick", .cpu_s = 0, .openmp = true});
  EXPECT_EQ(Find(), "solver: 0 1; server: 2; quick: 3; others:");
}

TEST_F(JobsTest, WrappersAndHelpersOfARankAreApart) {
  // numactl starts the rank's program by exec, so both have a pid. The solver starts "sh -c hostname".
  Add({.program = "numactl", .rank = "0", .seconds = 1, .cpu_s = 0, .pid = 50, .parent = 40});
  Add({.program = "solver", .rank = "0", .start_s = 1, .pid = 50, .parent = 40});
  Add({.program = "sh", .rank = "0", .start_s = 2, .seconds = 1, .cpu_s = 0, .pid = 60, .parent = 50});
  Add({.program = "hostname", .rank = "0", .start_s = 2, .seconds = 1, .cpu_s = 0, .pid = 61, .parent = 60});
  // A wrapper that waits for the rank's program.
  Add({.program = "wrap", .rank = "1", .cpu_s = 0, .pid = 70, .parent = 40});
  Add({.program = "solver", .rank = "1", .start_s = 1, .pid = 71, .parent = 70});
  EXPECT_EQ(Find(), "solver: 1 5; others: 0 4 2 3");
}

TEST_F(JobsTest, ARankNumberThatReturnsIsAnotherJob) {
  // Two runs of the program with the same ranks, one after the other. Then another program.
  Add({.program = "solver", .rank = "0", .start_s = 0});
  Add({.program = "solver", .rank = "1", .start_s = 0});
  Add({.program = "solver", .rank = "0", .start_s = 11});
  Add({.program = "solver", .rank = "1", .start_s = 11});
  Add({.program = "post", .rank = "0", .start_s = 22});
  EXPECT_EQ(Find(), "solver: 0 1; solver: 2 3; post: 4; others:");
}

// Each rank is a shell that starts the program twice, so that one rank's second process meets another's first.
TEST_F(JobsTest, RanksThatStartAProgramTwiceAreTwoJobs) {
  Add({.program = "solver", .rank = "0", .start_s = 0, .seconds = 10});
  Add({.program = "solver", .rank = "1", .start_s = 0, .seconds = 12});
  Add({.program = "solver", .rank = "0", .start_s = 10, .seconds = 10});
  Add({.program = "solver", .rank = "1", .start_s = 12, .seconds = 12});
  EXPECT_EQ(Find(), "solver: 0 1; solver: 2 3; others:");
}

TEST_F(JobsTest, TwoJobsSideBySideHaveTheirOwnLaunchers) {
  Add({.program = "solver", .rank = "0", .parent = 40});
  Add({.program = "solver", .rank = "0", .parent = 41});
  EXPECT_EQ(Find(), "solver: 0; solver: 1; others:");
}

TEST_F(JobsTest, ProcessesThatARankStartedBelongToIt) {
  Add({.program = "solver", .rank = "10", .pid = 50});
  Add({.program = "solver", .rank = "2", .pid = 51});
  Add({.program = "solver", .rank = "10", .start_s = 3, .seconds = 2, .pid = 52, .parent = 50});
  Add({.program = "solver", .rank = "10", .start_s = 4, .seconds = 2, .pid = 53, .parent = 0});  // not known
  EXPECT_EQ(Find(), "solver: 1 0+2+3; others:");
}

TEST_F(JobsTest, ProcessesWithoutRanksAreAPoolOnlySideBySide) {
  Add({.program = "worker", .start_s = 0, .seconds = 10});
  Add({.program = "worker", .start_s = 0, .seconds = 20});
  Add({.program = "worker", .start_s = 10, .seconds = 20});  // when the first has ended
  Add({.program = "other", .start_s = 0, .seconds = 10});
  Add({.program = "worker", .start_s = 20, .seconds = 5});
  EXPECT_EQ(Find(), "worker: 0 1; other: 3; worker: 2 4; others:");
}

TEST_F(JobsTest, ASingleProcessIsAJobWhateverItIs) {
  Add({.program = "sh", .cpu_s = 0});
  EXPECT_EQ(Find(), "sh: 0; others:");
}

}  // namespace
}  // namespace ompprof::analyze

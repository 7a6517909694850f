// Large MPI jobs, as their launchers' environment makes them: folders of ranks, and ranks that are not recorded.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

// Rank `rank` of 2,000.
std::map<std::string, std::string> Rank(int rank) {
  return {{"PMI_RANK", std::to_string(rank)}, {"PMI_SIZE", "2000"}, {"PMI_JOBID", "jobs_test"}};
}

Launch Ranked(int rank, const std::vector<std::string>& options) {
  Launch launch{"flat", {"50"}};
  launch.record_options = options;
  launch.environment = Rank(rank);
  return launch;
}

std::vector<std::string> FilesBelow(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& each : std::filesystem::recursive_directory_iterator(folder))
    if (each.is_regular_file()) files.push_back(each.path().string().substr(folder.size() + 1));
  std::sort(files.begin(), files.end());
  return files;
}

using Files = std::vector<std::string>;

TEST(Jobs, LargeJobsHaveFoldersOfRanks) {
  const std::string folder = NewFolder();
  for (const int rank : {17, 1017, 1018}) {
    const Outcome outcome = RunProgram(Ranked(rank, {"-o", folder + "/%r.ompprof"}));
    ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  }
  EXPECT_EQ(FilesBelow(folder), (Files{"0/17.ompprof", "1/1017.ompprof", "1/1018.ompprof"}));
  const Outcome report = RunCommand({OmpprofPath(), "report", "--ranks", folder + "/0/17.ompprof",
                                     folder + "/1/1017.ompprof", folder + "/1/1018.ompprof"});
  EXPECT_TRUE(report.Exited(0)) << report.Describe();
  EXPECT_NE(report.out.find("1017"), std::string::npos) << report.out;
  // A second run of the job moves the profiles of the first aside, in the same folders.
  Launch again = Ranked(1017, {"-o", folder + "/%r.ompprof"});
  again.environment["PMI_JOBID"] = "another job";
  ASSERT_TRUE(RunProgram(again).Exited(0));
  EXPECT_EQ(FilesBelow(folder), (Files{"0/17.ompprof", "1/1017.ompprof", "1/1017.ompprof.old", "1/1018.ompprof"}));
}

TEST(Jobs, OtherRanksRunWithoutTheProfiler) {
  Launch launch{"/usr/bin/env", {}};
  launch.record_options = {"--ranks=3,1/64", "--no-children"};
  launch.frequency = 0;
  for (const int rank : {1, 63, 65}) {
    launch.environment = Rank(rank);
    const Outcome outcome = RunProgram(launch);
    EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
    EXPECT_EQ(outcome.out.find("LD_PRELOAD"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("OMPPROF_"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.profiles, Files{});
    EXPECT_EQ(outcome.err, "");
  }
  for (const int rank : {0, 3, 64}) {
    launch.environment = Rank(rank);
    EXPECT_EQ(RunProgram(launch).profiles.size(), 1u) << rank;
  }
  launch.environment.clear();
  EXPECT_EQ(RunProgram(launch).profiles.size(), 1u) << "no rank";
}

// A launcher under `record`: its ranks decide for themselves.
TEST(Jobs, ALauncherStartsTheSelectedRanks) {
  Launch launch{"/bin/dash", {"-c", "for r in 0 1 2 3; do PMI_RANK=$r " + ProgramPath("flat") + " 20 || exit 1; done"}};
  launch.record_options = {"--ranks=2-3", "-o", "run.%r.%x.ompprof"};
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_EQ(FilesBelow(outcome.folder), (Files{"run.0.dash.ompprof", "run.2.flat.ompprof", "run.3.flat.ompprof"}));
}

}  // namespace
}  // namespace ompprof::testing

// Large MPI jobs, as their launchers' environment makes them: folders of ranks, ranks that are not recorded, and
// profiles that grow on the node.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
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

// A folder says the same as its files, whatever the command.
TEST(Jobs, AFolderStandsForItsRanks) {
  const std::string folder = NewFolder();
  std::vector<std::string> files;
  for (const int rank : {3, 17, 1018}) {
    ASSERT_TRUE(RunProgram(Ranked(rank, {"-o", folder + "/%r.ompprof"})).Exited(0));
    files.push_back(folder + "/" + std::to_string(rank / 1000) + "/" + std::to_string(rank) + ".ompprof");
  }
  std::sort(files.begin(), files.end());
  std::ofstream(folder + "/notes.txt") << "no profile";
  const auto with = [](Files words, const Files& paths) {
    words.insert(words.begin(), OmpprofPath());
    words.insert(words.end(), paths.begin(), paths.end());
    return RunCommand(words);
  };
  const std::vector<Files> commands = {{"report", "--ranks"},
                                       {"report", "--html", "-"},
                                       {"annotate", "flat.cc"},
                                       {"export", "--format=folded"},
                                       {"info"},
                                       {"whatif", "--balance=flat_region"},
                                       {"diff", "--format=json", "--after", files[0], "--before"},
                                       {"merge", "-o", "/dev/stdout"}};
  for (const Files& command : commands) {
    const Outcome of_files = with(command, files);
    const Outcome of_folder = with(command, {folder});
    EXPECT_TRUE(of_files.Exited(0)) << of_files.Describe();
    EXPECT_TRUE(of_folder.Exited(0)) << of_folder.Describe();
    EXPECT_GT(of_folder.out.size(), 50u) << command[0];
    EXPECT_EQ(of_folder.out, of_files.out) << command[0];
    EXPECT_EQ(of_folder.err, "");
  }
  // The job's own file may lie in the folder, and is made anew.
  for (int i = 0; i < 2; ++i) {
    const Outcome unified = with({"merge", "--unify", "-o", folder + "/job.ompprof"}, {folder});
    EXPECT_TRUE(unified.Exited(0)) << unified.Describe();
    EXPECT_EQ(unified.err, "");
  }
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

// The folder on the node, and what it has for this user.
struct Stage {
  std::string folder = NewFolder();
  std::string root = folder + "/ompprof-" + std::to_string(geteuid());
  Files files() const { return FilesBelow(folder); }
  // `record` copies the profile of a killed program a moment after its end.
  bool IsEmptySoon() const {
    for (int i = 0; i < 200 && !files().empty(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return files().empty();
  }
};

Launch Shell(const Stage& stage, const std::string& script) {
  Launch launch{"/bin/sh", {"-c", script}};
  launch.record_options = {"--stage=" + stage.folder, "-o", "run.ompprof", "--flush-interval=0.05"};
  return launch;
}

TEST(Stage, TheProfileIsCopiedAtTheEnd) {
  const Stage stage;
  Launch launch{"flat", {"300"}};
  launch.record_options = {"--stage=" + stage.folder, "-o", "run.ompprof"};
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  EXPECT_EQ(FilesBelow(recorded->outcome.folder), Files{"run.ompprof"});
  EXPECT_EQ(stage.files(), Files{});
  EXPECT_FALSE(std::filesystem::exists(stage.root + recorded->outcome.folder)) << "empty folders stay";
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    claims->Near("CPU time", each.profile.CpuNs() / each.truth.process, 1, 0.05);
  });
  EXPECT_EQ(recorded->outcome.err, "");
}

// Until the end, the profile's name is taken, and its contents are on the node.
TEST(Stage, TheProfileGrowsOnTheNode) {
  const Stage stage;
  const std::string staged = stage.root + "$PWD/run.ompprof";
  const Outcome outcome = RunProgram(
      Shell(stage, "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; stat -c %s run.ompprof " + staged + "; exit 7"));
  EXPECT_TRUE(outcome.Exited(7)) << outcome.Describe();
  long long named = 0, grown = 0;
  ASSERT_EQ(sscanf(outcome.out.c_str(), "%lld %lld", &named, &grown), 2) << outcome.Describe();
  EXPECT_GT(named, 0);
  EXPECT_GT(grown, named);
  EXPECT_GE(static_cast<long long>(std::filesystem::file_size(outcome.folder + "/run.ompprof")), grown);
  EXPECT_TRUE(stage.IsEmptySoon());
}

// The ranks of a node make and remove the same folders at the same time.
TEST(Stage, ManyRanksShareTheFolder) {
  const Stage stage;
  const std::string folder = NewFolder();
  Launch launch{"/bin/sh",
                {"-c", "for r in $(seq 60); do PMI_RANK=$r " + OmpprofPath() + " record --stage=" + stage.folder +
                           " -o " + folder + "/%r.ompprof -- /bin/true & done; wait"}};
  launch.load = Load::kNone;
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(FilesBelow(folder).size(), 60u);
  EXPECT_TRUE(stage.IsEmptySoon());
}

TEST(Stage, AKilledProgramsProfileIsCopiedByRecord) {
  const Stage stage;
  const Outcome outcome = RunProgram(Shell(stage, "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; kill -KILL $$"));
  EXPECT_TRUE(outcome.Killed(SIGKILL)) << outcome.Describe();
  EXPECT_TRUE(stage.IsEmptySoon());
  EXPECT_EQ(FilesBelow(outcome.folder), Files{"run.ompprof"});
  const Outcome report = RunCommand({OmpprofPath(), "report", "--full", outcome.folder + "/run.ompprof"});
  EXPECT_TRUE(report.Exited(0)) << report.Describe();
  EXPECT_EQ(report.out.find("samples   0"), std::string::npos) << report.out;
}

TEST(Stage, BothProfilesOfAnExecAreCopied) {
  const Stage stage;
  const Outcome outcome = RunProgram(Shell(stage, "exec " + ProgramPath("flat") + " 50"));
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_TRUE(stage.IsEmptySoon());
  EXPECT_EQ(FilesBelow(outcome.folder), (Files{"run.1.ompprof", "run.ompprof"}));
  EXPECT_TRUE(RunCommand({OmpprofPath(), "report", outcome.folder + "/run.ompprof"}).Exited(0));
}

// What cannot be copied stays, and one line says where. The program's exit status is its own.
TEST(Stage, WhatCannotBeCopiedStays) {
  const Stage stage;
  // Without the collector: a profile of rm would take the name that has become free.
  const Outcome outcome = RunProgram(Shell(stage, "LD_PRELOAD= rm run.ompprof; LD_PRELOAD= mkdir run.ompprof; exit 3"));
  EXPECT_TRUE(outcome.Exited(3)) << outcome.Describe();
  const std::string staged = stage.root + outcome.folder + "/run.ompprof";
  const std::string line = "ompprof: the profile stays in " + staged + " on this node: it cannot be copied to " +
                           outcome.folder + "/run.ompprof: another run has taken the name\n";
  // Behind the line that says what runs without the collector.
  EXPECT_EQ(WarningLines(outcome.err), 2) << outcome.err;
  EXPECT_NE(outcome.err.find("\n" + line), std::string::npos) << outcome.err;
  EXPECT_TRUE(RunCommand({OmpprofPath(), "report", staged}).Exited(0));
}

// In /tmp, another user may have made the folder.
TEST(Stage, AFolderThatOthersMayWriteToIsNotUsed) {
  const Stage stage;
  ASSERT_EQ(mkdir(stage.root.c_str(), 0777), 0);
  ASSERT_EQ(chmod(stage.root.c_str(), 0777), 0);
  const Outcome outcome = RunProgram(Shell(stage, "exit 0"));
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_NE(outcome.err.find("no profile can grow in the folder " + stage.folder + " of --stage: "), std::string::npos)
      << outcome.err;
  EXPECT_EQ(stage.files(), Files{});
  EXPECT_TRUE(RunCommand({OmpprofPath(), "report", outcome.folder + "/run.ompprof"}).Exited(0));
}

}  // namespace
}  // namespace ompprof::testing

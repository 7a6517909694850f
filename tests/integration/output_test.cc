// The profile's file: its name, and that it never replaces a file. A program whose profile cannot be written runs on
// unharmed, with one line of warning.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"
#include "tests/statistics/claims.h"

namespace ompprof::testing {
namespace {

std::string Base(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string Host() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

// The program itself sees no difference; only the warning tells.
void ExpectUnaffectedWithOneWarning(const Outcome& outcome) {
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_NE(outcome.out.find("truth process"), std::string::npos) << outcome.Describe();
  EXPECT_EQ(ForeignLines(outcome.err), "");
  EXPECT_EQ(WarningLines(outcome.err), 1) << outcome.err;
}

TEST(Output, DefaultNameHasProgramHostAndProcess) {
  for (const Load load : {Load::kRecord, Load::kPreload}) {
    Launch launch{"flat", {"200"}};
    launch.load = load;
    const Outcome outcome = RunProgram(launch);
    ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
    const std::string name = Base(outcome.profiles[0]), start = "ompprof.flat." + Host() + ".";
    EXPECT_EQ(name.rfind(start, 0), 0u) << name;
    EXPECT_TRUE(std::regex_match(name.substr(start.size()), std::regex("[0-9]+\\.ompprof"))) << name;
  }
}

TEST(Output, PatternsAreExpanded) {
  Launch launch{"flat", {"200"}};
  launch.environment["OMPPROF_OUTPUT"] = "run-%h-%p.ompprof";
  const Outcome outcome = RunProgram(launch);
  ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
  const std::string name = Base(outcome.profiles[0]), start = "run-" + Host() + "-";
  EXPECT_EQ(name.rfind(start, 0), 0u) << name;
  EXPECT_TRUE(std::regex_match(name.substr(start.size()), std::regex("[0-9]+\\.ompprof"))) << name;
}

std::string Contents(const std::string& path) {
  std::ostringstream contents;
  contents << std::ifstream(path).rdbuf();
  return contents.str();
}

TEST(Output, NeverOverwrites) {
  Launch launch{"flat", {"200"}};
  launch.load = Load::kPreload;
  launch.folder = NewFolder();
  launch.environment["OMPPROF_OUTPUT"] = "same.ompprof";
  { std::ofstream(launch.folder + "/same.ompprof") << "somebody's work\n"; }
  for (int run = 0; run < 2; run++) {
    const Outcome outcome = RunProgram(launch);
    EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
    EXPECT_EQ(outcome.profiles.size(), 2u + static_cast<size_t>(run)) << "one new file for each run";
  }
  EXPECT_EQ(Contents(launch.folder + "/same.ompprof"), "somebody's work\n");
}

TEST(Output, RecordRefusesANameThatIsSomebodysBeforeTheProgramStarts) {
  Launch launch{"flat", {"200"}};
  launch.folder = NewFolder();
  launch.record_options = {"-o", "same.ompprof"};
  { std::ofstream(launch.folder + "/same.ompprof") << "somebody's work\n"; }
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(2)) << outcome.Describe();
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("same.ompprof: the file exists and is no profile, so nothing is written"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(Contents(launch.folder + "/same.ompprof"), "somebody's work\n");
}

// The processes of a profile as `ompprof report` reads it. Each row of the CSV table of threads begins with a process
// id.
std::set<std::string> ProcessesReported(const Outcome& recorded, const std::string& name) {
  const Outcome report = RunCommand({OmpprofPath(), "report", "--threads", "--format=csv", name}, recorded.folder);
  EXPECT_TRUE(report.Exited(0)) << report.Describe();
  std::istringstream lines(report.out);
  std::set<std::string> processes;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) processes.insert(line.substr(0, line.find(',')));
  return processes;
}

TEST(Output, AScriptsProfileIsThatOfAllItsPrograms) {
  Launch launch{"/bin/sh", {"-c", "for i in 1 2 3; do " + ProgramPath("flat") + " 200; done"}};
  launch.folder = NewFolder();
  launch.record_options = {"-o", "run.ompprof"};
  const Outcome first = RunProgram(launch);
  ASSERT_TRUE(first.Exited(0)) << first.Describe();
  EXPECT_EQ(first.profiles.size(), 4u) << "the shell's and one of each program";
  EXPECT_GE(ProcessesReported(first, "run.ompprof").size(), 3u);
  const std::set<std::string> before = ProcessesReported(first, "run.ompprof");

  // A further run takes the name. The report has its programs only; the first run's files are under ".old".
  launch.arguments = {"-c", ProgramPath("flat") + " 200; true"};
  const Outcome second = RunProgram(launch);
  ASSERT_TRUE(second.Exited(0)) << second.Describe();
  EXPECT_EQ(second.profiles.size(), 2u);
  for (const std::string& process : ProcessesReported(second, "run.ompprof")) EXPECT_EQ(before.count(process), 0u);
  EXPECT_EQ(ProcessesReported(second, "run.ompprof.old"), before);
}

// Of all processes: programs that start in another folder, the shell's own child, and what the shell becomes by exec.
TEST(Output, ARunsProfilesAreWhereItBegan) {
  const std::string flat = ProgramPath("flat");
  Launch launch{"/bin/sh", {"-c", "mkdir sub && cd sub && (" + flat + " 200; exit 0) && exec " + flat + " 200"}};
  for (const char* name : {"", "run.ompprof"}) {
    launch.folder = NewFolder();
    launch.record_options = name[0] != '\0' ? std::vector<std::string>{"-o", name} : std::vector<std::string>{};
    const Outcome outcome = RunProgram(launch);
    ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
    EXPECT_GE(outcome.profiles.size(), 3u) << outcome.Describe();
    EXPECT_EQ(rmdir((launch.folder + "/sub").c_str()), 0) << "something is in it";
  }
}

TEST(Output, OneLineNamesARunsProfiles) {
  const std::string work = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
  Launch launch{"/bin/sh", {"-c", "(" + work + "); (" + work + "; exec " + ProgramPath("flat") + " 200); exit 0"}};
  launch.folder = NewFolder();
  launch.record_options = {"-o", "run.ompprof"};
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_GE(outcome.profiles.size(), 3u) << outcome.Describe();
  const std::string line = "wrote " + std::to_string(outcome.profiles.size()) +
                           " profiles, run*.ompprof; read them with: ompprof report run*.ompprof";
  EXPECT_EQ(outcome.last_lines, std::vector<std::string>{line}) << outcome.Describe();
}

TEST(Output, AProcessWithoutTheRunsFolderWritesToItsOwn) {
  Launch launch{"flat", {"200"}};
  launch.load = Load::kPreload;
  launch.environment["OMPPROF_FOLDER"] = "/nowhere/at/all";
  const Outcome outcome = RunProgram(launch);
  EXPECT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
  EXPECT_EQ(ForeignLines(outcome.err), "");
  EXPECT_EQ(WarningLines(outcome.err), 0) << outcome.err;
}

TEST(Output, OptionOfRecord) {
  Launch launch{"flat", {"200"}};
  launch.record_options = {"-o", "named.ompprof"};
  const Outcome outcome = RunProgram(launch);
  ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
  EXPECT_EQ(Base(outcome.profiles[0]), "named.ompprof");
  EXPECT_EQ(Profile(outcome.profiles[0]).error(), "");
}

TEST(Output, FolderThatIsNotThere) {
  Launch launch{"flat", {"200"}};
  launch.environment["OMPPROF_OUTPUT"] = "/nonexistent/folder/x.ompprof";
  launch.load = Load::kPreload;
  ExpectUnaffectedWithOneWarning(RunProgram(launch));
}

TEST(Output, FolderThatMayNotBeWrittenTo) {
  // Root may write anywhere, except where nobody can: in the folders of /proc.
  Launch launch{"flat", {"200"}};
  launch.environment["OMPPROF_OUTPUT"] = "/proc/self/x.ompprof";
  launch.load = Load::kPreload;
  ExpectUnaffectedWithOneWarning(RunProgram(launch));
}

TEST(Output, DeviceThatIsFull) {
  Launch launch{"flat", {"200"}};
  launch.environment["OMPPROF_OUTPUT"] = "/dev/full";
  launch.load = Load::kPreload;
  ExpectUnaffectedWithOneWarning(RunProgram(launch));
}

TEST(Output, DiskThatFillsUp) {
  const std::string disk = NewFolder();
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=8k") != 0) {
    GTEST_SKIP() << "A disk of two pages to fill cannot be mounted here: that needs root.";
  }
  Launch launch{"flat", {"1000"}};
  launch.environment["OMPPROF_OUTPUT"] = disk + "/x.ompprof";
  launch.environment["OMPPROF_FLUSH_INTERVAL"] = "0.05";
  launch.load = Load::kPreload;
  {
    // All pages but the last are taken.
    std::ofstream filler(disk + "/filler", std::ios::binary);
    filler << std::string(4096, 'x');
  }
  const Outcome outcome = RunProgram(launch);
  umount2(disk.c_str(), MNT_DETACH);
  ExpectUnaffectedWithOneWarning(outcome);
}

TEST(Output, FileSizeLimit) {
  // Past RLIMIT_FSIZE the kernel sends SIGXFSZ, which would kill a program that has done nothing wrong.
  const Outcome outcome =
      RunCommand({"/bin/bash", "-c",
                  "ulimit -f 1; OMPPROF_FREQUENCY=1000 OMPPROF_FLUSH_INTERVAL=0.05 LD_PRELOAD=" + CollectorPath() +
                      " " + ProgramPath("flat") + " 500 | cat"});
  EXPECT_NE(outcome.out.find("truth process"), std::string::npos) << outcome.Describe();
  EXPECT_EQ(ForeignLines(outcome.err), "");
}

TEST(Output, ClosedStandardStreams) {
  // The profile must not get descriptor 1 or 2: the program's output would go into the profile.
  const std::string folder = NewFolder();
  const Outcome outcome = RunCommand(
      {"/bin/bash", "-c",
       "LD_PRELOAD=" + CollectorPath() + " " + ProgramPath("flat") + " 200 0<&- 1>&- 2>&-; echo \"status $?\""},
      folder);
  EXPECT_NE(outcome.out.find("status 0"), std::string::npos) << outcome.Describe();
  bool found = false;
  for (const std::string& path : outcome.profiles) {
    if (Base(path).rfind("ompprof.flat.", 0) != 0) continue;
    found = true;
    EXPECT_EQ(Profile(path).error(), "");
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    EXPECT_EQ(bytes.str().find("truth process"), std::string::npos);
  }
  EXPECT_TRUE(found);
}

// More call paths than --max-memory has room for. The program is not disturbed and lost samples are counted. Lost and
// kept samples together are the whole.
TEST(Output, MemoryIsBoundedAndTheLossCounted) {
  Launch launch{"wide_tree", {"3000"}};
  launch.frequency = 4000;
  launch.environment["OMPPROF_MAX_MEMORY"] = "4M";
  // The thread that is done first would spin for the other thread. The program's truth does not count such CPU time.
  launch.environment["OMP_WAIT_POLICY"] = "passive";
  Decide([&](Claims* claims) {
    const Outcome outcome = RunProgram(launch);
    ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
    ASSERT_EQ(outcome.profiles.size(), 1u);
    const Profile profile(outcome.profiles[0]);
    ASSERT_EQ(profile.error(), "");
    EXPECT_GT(profile.Lost(), 100);
    EXPECT_GT(profile.Samples(), 100);
    const Truth truth = Truth::Parse(outcome.out);
    // The process's CPU time would not do: at this rate the collector's own thread takes a few percent of it.
    claims->Near("kept and lost", (profile.CpuNs() + profile.LostNs()) / truth.functions.at("wide_work"), 1, 0.04);
  });
}

}  // namespace
}  // namespace ompprof::testing

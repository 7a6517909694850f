// A program that the collector must not be in runs as without the profiler, however it is started: with the same
// output, status and environment, and with a line that says why it has no profile.
#include <elf.h>
#include <gtest/gtest.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

constexpr char kLoader[] = "/lib64/ld-linux-x86-64.so.2";
constexpr char kOtherLoader[] = "the program's loader is not glibc's";

void Copy(const std::string& from, const std::string& to) {
  ASSERT_TRUE(RunCommand({"cp", "-L", from, to}).Exited(0)) << from;
  ASSERT_EQ(chmod(to.c_str(), 0755), 0);
}

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The launch's outcome is the same with and without the profiler, but for one line with `why`.
void ExpectTheSame(Launch launch, const std::string& why) {
  launch.frequency = 0;  // no variable of the test's own
  launch.environment["PATH"] = launch.folder + ":/usr/bin:/bin";
  launch.environment["OMPPROF_MAX_DEPTH"] = "100";  // the user's
  launch.environment["ASAN_OPTIONS"] = "detect_leaks=0:verify_asan_link_order=1";
  launch.record_options = {"--max-memory=64M"};
  launch.load = Load::kNone;
  const Outcome plain = RunProgram(launch);
  launch.load = Load::kRecord;
  const Outcome recorded = RunProgram(launch);
  ASSERT_TRUE(plain.started && !plain.timed_out) << plain.Describe();
  EXPECT_EQ(recorded.status, plain.status) << recorded.Describe();
  EXPECT_EQ(recorded.out, plain.out);
  EXPECT_EQ(ForeignLines(recorded.err), plain.err);
  EXPECT_EQ(WarningLines(recorded.err), 1) << recorded.err;
  EXPECT_NE(recorded.err.find(why), std::string::npos) << recorded.err;
}

// A folder with ./other, a program with another loader. That loader is a copy of glibc's, so that the environment shows
// whether anybody preloads.
class OtherLoader : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    launch_.folder = NewFolder();
    Copy(kLoader, launch_.folder + "/ld-other.so.1");
    Copy(ProgramPath("shows_other_loader"), launch_.folder + "/other");
  }

  Launch launch_;
};

TEST_P(OtherLoader, StartedBy) {
  launch_.program = "executes";
  launch_.arguments = {GetParam(), "./other"};
  ExpectTheSame(launch_, kOtherLoader);
}

INSTANTIATE_TEST_SUITE_P(Ways, OtherLoader,
                         ::testing::Values("execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle",
                                           "fexecve", "fexecve_path", "execveat", "handler", "posix_spawn",
                                           "posix_spawnp", "system", "popen"),
                         [](const auto& info) { return std::string(info.param); });

class ExecutedPrograms : public OtherLoader {};

TEST_F(ExecutedPrograms, ByRecord) {
  launch_.program = "./other";
  ExpectTheSame(launch_, kOtherLoader);
}

TEST_F(ExecutedPrograms, ByTheLineOfAScript) {
  std::ofstream(launch_.folder + "/script") << "#!./other\n";
  chmod((launch_.folder + "/script").c_str(), 0755);
  launch_.program = "executes";
  launch_.arguments = {"execvp", "./script"};
  ExpectTheSame(launch_, kOtherLoader);
  launch_.program = "./script";
  launch_.arguments = {};
  ExpectTheSame(launch_, kOtherLoader);
}

// The user's preloads stay as they are.
TEST_F(ExecutedPrograms, BesideOtherPreloads) {
  const std::string library = "/usr/lib/x86_64-linux-gnu/libm.so.6";
  launch_.program = "executes";
  launch_.arguments = {"execve", "./other"};
  for (const std::string& preloads : {library, library + " " + library, ":" + library + ":: " + library + ":"}) {
    launch_.preload_also = preloads;
    ExpectTheSame(launch_, kOtherLoader);
  }
}

// What starts from there is not profiled either.
TEST_F(ExecutedPrograms, WithTheirChildren) {
  Copy("/bin/dash", launch_.folder + "/shell");
  std::string bytes = Read(launch_.folder + "/shell");
  const size_t at = bytes.find(kLoader);
  ASSERT_NE(at, std::string::npos);
  std::string loader = "./ld-other.so.1";
  loader.resize(sizeof(kLoader));
  bytes.replace(at, sizeof(kLoader), loader);
  std::ofstream(launch_.folder + "/shell", std::ios::binary) << bytes;
  launch_.program = "/bin/dash";
  launch_.arguments = {"-c", "./shell -c '" + ProgramPath("shows") + "; echo $?'; echo $?"};
  ExpectTheSame(launch_, kOtherLoader);
}

TEST_F(ExecutedPrograms, OfAnotherMachine) {
  std::string bytes = Read(launch_.folder + "/other");
  bytes[offsetof(Elf64_Ehdr, e_machine)] = static_cast<char>(EM_AARCH64);
  std::ofstream(launch_.folder + "/foreign", std::ios::binary) << bytes;
  chmod((launch_.folder + "/foreign").c_str(), 0755);
  launch_.program = "executes";
  launch_.arguments = {"execve", "./foreign"};
  ExpectTheSame(launch_, "the program is not for x86-64");
}

TEST_F(ExecutedPrograms, OfAnOldGlibc) {
  Copy(kLoader, launch_.folder + "/ld-2.12.so");
  Copy(ProgramPath("shows_own_loader"), launch_.folder + "/old");
  ASSERT_EQ(symlink("ld-2.12.so", (launch_.folder + "/ld-linux-x86-64.so.2").c_str()), 0);
  launch_.program = "executes";
  launch_.arguments = {"posix_spawn", "./old"};
  ExpectTheSame(launch_, "the program's glibc is older than 2.17");
}

// glibc's loader in another folder is glibc's. A program this short need not leave a profile.
TEST_F(ExecutedPrograms, WithGlibcsLoaderElsewhereArePreloaded) {
  Copy(kLoader, launch_.folder + "/ld-linux-x86-64.so.2");
  Copy(ProgramPath("shows_own_loader"), launch_.folder + "/own");
  launch_.program = "executes";
  launch_.arguments = {"posix_spawn", "./own"};
  const Outcome outcome = RunProgram(launch_);
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("status 7\n"), std::string::npos) << outcome.Describe();
  EXPECT_NE(outcome.out.find("/libompprof.so"), std::string::npos) << outcome.Describe();
}

TEST_F(ExecutedPrograms, OfMusl) {
  if (access("/usr/bin/musl-gcc", X_OK) != 0) GTEST_SKIP() << "scripts/setup could not get musl-tools";
  const std::string program = launch_.folder + "/musl";
  const Outcome gcc = RunCommand({"musl-gcc", "-o", program, BuiltPath("tests/programs/shows.c")});
  ASSERT_TRUE(gcc.Exited(0)) << gcc.Describe();
  launch_.program = program;
  ExpectTheSame(launch_, kOtherLoader);
  for (const char* shell : {"/bin/bash", "/bin/dash"}) {
    launch_.program = shell;
    launch_.arguments = {"-c", "./musl; echo $?"};
    ExpectTheSame(launch_, kOtherLoader);
  }
  launch_.arguments = {"-c", "/lib/ld-musl-x86_64.so.1 ./musl; echo $?"};
  ExpectTheSame(launch_, kOtherLoader);
}

// A root directory without the collector. libc's loader there would warn of the preload.
TEST_F(ExecutedPrograms, InAnotherRootDirectory) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may change its root directory";
  const std::string root = launch_.folder + "/root";
  for (const char* folder : {"", "/bin", "/lib64", "/lib", "/lib/x86_64-linux-gnu"})
    ASSERT_EQ(mkdir((root + folder).c_str(), 0755), 0);
  Copy(kLoader, root + kLoader);
  Copy("/lib/x86_64-linux-gnu/libc.so.6", root + "/lib/x86_64-linux-gnu/libc.so.6");
  Copy("/bin/dash", root + "/bin/sh");
  Copy(ProgramPath("shows"), root + "/bin/shows");
  launch_.program = "executes";
  for (const char* how : {"execv", "posix_spawn", "system", "popen"}) {
    launch_.arguments = {how, "/bin/shows", "root"};
    ExpectTheSame(launch_, "a program in another root directory runs unprofiled");
  }
}

// A collector that the process's new user may not read.
TEST_F(ExecutedPrograms, OfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may change its user";
  const std::string folder = NewFolder();  // the user's only
  for (const char* file : {"libompprof.so", "libgomp_ompt.so", "libompprof_older_ompt.so"})
    Copy(CollectorPath().substr(0, CollectorPath().rfind('/') + 1) + file, folder + "/" + file);
  launch_.program = "/usr/sbin/chroot";
  launch_.arguments = {"--userspec=65534:65534", "--groups=", "--skip-chdir", "/", "/bin/echo", "worked"};
  launch_.environment["OMPPROF_LIBRARY"] = folder + "/libompprof.so";
  launch_.environment["OMPPROF_GOMP_SHIM"] = "off";
  ExpectTheSame(launch_, "a program of another user runs unprofiled");
}

// A program that is executed with an environment without the collector.
constexpr char kOwnEnvironment[] = "their environment does not load ompprof (LD_PRELOAD)";

class OwnEnvironment : public ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(OwnEnvironment, IsToldByLineAndNote) {
  Launch launch;
  launch.program = GetParam()[0];
  launch.arguments.assign(GetParam().begin() + 1, GetParam().end());
  ExpectTheSame(launch, kOwnEnvironment);
  launch.load = Load::kRecord;
  const Outcome recorded = RunProgram(launch);
  ASSERT_EQ(recorded.profiles.size(), 1u) << recorded.Describe();
  const Profile profile(recorded.profiles[0]);
  EXPECT_NE(profile.report().dump().find(kOwnEnvironment), std::string::npos) << profile.report().dump();
}

INSTANTIATE_TEST_SUITE_P(
    Ways, OwnEnvironment,
    ::testing::Values(std::vector<std::string>{"/usr/bin/env", "-i", "/bin/echo", "a"},
                      std::vector<std::string>{"/usr/bin/env", "-u", "LD_PRELOAD", "/bin/echo", "a"},
                      std::vector<std::string>{"/usr/bin/env", "LD_PRELOAD=libm.so.6", "/bin/echo", "a"},
                      std::vector<std::string>{
                          "/usr/bin/python3", "-c",
                          "import os\n"
                          "for _ in range(3): os.waitpid(os.posix_spawn('/bin/echo', ['a'], {}), 0)"}));

TEST(OwnEnvironments, OfForkedChildrenAreToldOnce) {
  Launch launch;
  launch.program = "/usr/bin/python3";
  launch.arguments = {"-c",
                      "import os\n"
                      "for _ in range(3): os.wait() if os.fork() else os.execve('/bin/echo', ['echo', 'a'], {})"};
  ExpectTheSame(launch, kOwnEnvironment);
}

// Programs without a profile are told by their CPU time. One with a profile that is read is not.
TEST(UnseenPrograms, OfAScript) {
  const std::string busy = "/usr/bin/python3 -c 'import time\nwhile time.process_time() < 0.4: pass'; true";
  const std::string sentence = "programs that were started by ";
  for (const bool seen : {false, true}) {
    Launch launch{"/bin/sh", {"-c", (seen ? "" : "env -i ") + busy}};
    launch.load = Load::kRecord;
    const Outcome recorded = RunProgram(launch);
    ASSERT_TRUE(recorded.Exited(0)) << recorded.Describe();
    std::vector<std::string> report = {OmpprofPath(), "report", "--format=json"};
    report.insert(report.end(), recorded.profiles.begin(), recorded.profiles.end());
    const Outcome read = RunCommand(report);
    ASSERT_TRUE(read.Exited(0)) << read.Describe();
    EXPECT_EQ(read.out.find(sentence) == std::string::npos, seen) << read.out;
  }
}

// A file that is not there is not told.
TEST(OwnEnvironments, OfNoProgram) {
  Launch launch{"/usr/bin/env", {"-i", "/nothing/here"}};
  launch.load = Load::kRecord;
  const Outcome recorded = RunProgram(launch);
  EXPECT_TRUE(recorded.Exited(127)) << recorded.Describe();
  EXPECT_EQ(WarningLines(recorded.err), 0) << recorded.err;
}

}  // namespace
}  // namespace ompprof::testing

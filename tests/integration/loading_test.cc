// The three ways into a process. The library brings only libc with it, and exports only the intended names.
#include <gtest/gtest.h>
#include <unistd.h>

#include <set>
#include <sstream>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

class Loading : public ::testing::TestWithParam<Load> {};

TEST_P(Loading, GivesTheSameAnswer) {
  Launch launch{"flat", {"2000"}};
  launch.load = GetParam();
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  // Through OMP_TOOL_LIBRARIES the collector arrives with the runtime, after the process has begun. The profile lacks
  // the time before. Here that is only the program's start.
  ExpectShares(*recorded);
  for (const char* function : {"work_a", "work_b", "work_c"}) ExpectUnderMain(*recorded, function);
}

INSTANTIATE_TEST_SUITE_P(Ways, Loading, ::testing::Values(Load::kRecord, Load::kPreload, Load::kToolLibraries),
                         [](const auto& info) {
                           return info.param == Load::kRecord    ? "Record"
                                  : info.param == Load::kPreload ? "Preload"
                                                                 : "ToolLibraries";
                         });

// The loader runs the collector's constructor last. Even so the profile has the work of libraries in their
// constructors, before main.
class Constructors : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(Constructors, OfLibrariesMayMakeThreadsAndUseOpenMp) {
  const auto& [program, first] = GetParam();
  Launch launch{program};
  launch.environment["CONSTRUCTOR_FIRST"] = first;
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "main_work");
  EXPECT_NE(recorded->outcome.out.find("errno after pthread_create 77\n"), std::string::npos) << recorded->outcome.out;
  const nlohmann::json regions = recorded->profile.report().value("regions", nlohmann::json::array());
  std::set<std::string> functions;
  for (const auto& region : regions) functions.insert(region.value("function", "").substr(0, 11));
  EXPECT_EQ(functions, (std::set<std::string>{"constructor", "main_region"})) << regions.dump(1);
}

INSTANTIATE_TEST_SUITE_P(Runtimes, Constructors,
                         ::testing::Combine(::testing::Values("constructors", "constructors_gcc"),
                                            ::testing::Values("thread", "region")),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param) + "_first";
                         });

// People run gcc's programs on LLVM's runtime, which has gcc's entry points.
TEST(Loading, LlvmsRuntimeInTheNameOfLibgomp) {
  const char* const kLibomp = "/usr/lib/x86_64-linux-gnu/libomp.so.5";
  const std::string folder = NewFolder();
  ASSERT_EQ(symlink(kLibomp, (folder + "/libgomp.so.1").c_str()), 0);
  for (const char* shim : {"auto", "off"}) {
    Launch launch{"flat_gcc", {"500"}};
    launch.record_options = {std::string("--gomp-shim=") + shim};
    launch.environment["LD_LIBRARY_PATH"] = folder;
    const auto recorded = Record(launch);  // without a warning that it has no OMPT
    ASSERT_TRUE(recorded) << shim;
    EXPECT_EQ(recorded->profile.report().value("runtime", "").substr(0, 4), "LLVM") << shim;
  }
}

TEST(Loading, PreloadedAndNamedAsToolIsOneCollector) {
  Launch launch{"flat", {"500"}};
  launch.load = Load::kPreload;
  launch.environment["OMP_TOOL_LIBRARIES"] = CollectorPath();
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_EQ(outcome.profiles.size(), 1u);
}

TEST(Loading, ToolsSwitchedOffLeaveAProfileWithoutRegions) {
  Launch launch{"flat", {"500"}};
  launch.environment["OMP_TOOL"] = "disabled";
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  EXPECT_GT(recorded->profile.FunctionTotalNs("work_a"), 0);
  EXPECT_EQ(recorded->profile.report().value("runtime", ""), "");
}

TEST(Loading, AStrippedProgramAndAProgramWithoutOpenMp) {
  const std::string folder = NewFolder();
  ASSERT_TRUE(RunCommand({"strip", "-o", folder + "/flat_stripped", ProgramPath("flat")}).Exited(0));
  const Outcome stripped = RunProgram({folder + "/flat_stripped", {"500"}});
  EXPECT_TRUE(stripped.Exited(0)) << stripped.Describe();
  ASSERT_EQ(stripped.profiles.size(), 1u);
  const Profile profile(stripped.profiles[0]);
  EXPECT_EQ(profile.error(), "");
  EXPECT_GT(profile.CpuNs(), 0);

  const Outcome plain = RunProgram({"/bin/ls", {"/"}});
  EXPECT_TRUE(plain.Exited(0)) << plain.Describe();
  EXPECT_EQ(plain.err, "");
}

TEST(Loading, LinksTheCLibraryAndNothingElse) {
  const Outcome ldd = RunCommand({"ldd", CollectorPath()});
  ASSERT_TRUE(ldd.Exited(0)) << ldd.Describe();
  std::istringstream lines(ldd.out);
  std::string line;
  while (std::getline(lines, line)) {
    EXPECT_TRUE(line.find("libc.so.6") != std::string::npos || line.find("ld-linux") != std::string::npos ||
                line.find("linux-vdso") != std::string::npos)
        << line;
  }
}

TEST(Loading, ExportsOnlyWhatMustBeFound) {
  // Entry points that are looked up by name, and functions of libc and libgcc that must reach the collector when the
  // program calls them. Any further name could take the place of a symbol of the program.
  // clang-format off
  const std::set<std::string> allowed = {
      "ompt_start_tool", "ompprof_control", "ompprof_label",                           // entry points
      "ompprof_start_older_tool",                                                      // for libompprof_older_ompt.so
      "pthread_create", "thrd_create", "dlclose",                                      // threads, code
      "unshare", "setns",                                                              // one thread only
      "prctl",                                                                         // seccomp
      "setuid", "seteuid", "setreuid", "setresuid", "setgroups", "initgroups",         // ids of all threads
      "setgid", "setegid", "setregid", "setresgid",
      "_exit", "_Exit", "abort", "daemon",                                             // ends
      "execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle", "fexecve",  // ends as another program
      "sigwait", "sigwaitinfo", "sigtimedwait", "signalfd", "sigaltstack",             // the signal we use
      "mmap", "mmap64", "mremap", "munmap", "mprotect", "pkey_mprotect", "madvise",    // pages that may go
      "shmat", "shmdt", "syscall",
      "__register_frame", "__deregister_frame",                                        // tables of generated code
      "pthread_sigmask", "sigprocmask", "sigblock", "sigsetmask", "sighold", "sigrelse",  // masks
      "sigsuspend", "sigpause", "__xpg_sigpause", "ppoll", "__ppoll_chk", "pselect",      // waits with a mask
      "epoll_pwait", "epoll_pwait2",
      "setcontext", "swapcontext", "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk",  // jumps that set masks
      // sleeps
      "poll", "__poll_chk", "select", "epoll_wait", "nanosleep", "clock_nanosleep", "usleep", "sleep",
      "thrd_sleep", "pause", "sem_timedwait", "sem_clockwait", "aio_suspend", "msgrcv", "msgsnd", "semop",
      "semtimedop", "accept", "accept4", "connect", "recv", "__recv_chk", "recvfrom", "__recvfrom_chk",
      "recvmsg", "recvmmsg", "send", "sendto", "sendmsg", "sendmmsg", "read", "__read_chk", "readv", "write",
      "writev", "sendfile", "sendfile64", "copy_file_range", "splice", "vmsplice", "tee", "getrandom",
      "fallocate", "fallocate64", "posix_fallocate", "posix_fallocate64", "mlock", "mlock2", "mlockall",
      "__poll", "__select", "__nanosleep", "__connect", "__send", "__read", "__write", "setsockopt", "ioctl",
      "sigaction", "__sigaction", "sigset", "sigignore",
      "signal", "sysv_signal", "__sysv_signal", "bsd_signal", "ssignal",
  };
  // clang-format on
  const Outcome nm = RunCommand({"nm", "-D", "--defined-only", CollectorPath()});
  ASSERT_TRUE(nm.Exited(0)) << nm.Describe();
  std::istringstream lines(nm.out);
  std::string address, type, name;
  std::set<std::string> found;
  while (lines >> address >> type >> name) {
    // Lower case is local: such names are in the table for a relocation's sake, and never found by name.
    if (type == "b" || type == "d" || type == "r" || type == "t") continue;
    name = name.substr(0, name.find('@'));
    found.insert(name);
    EXPECT_EQ(allowed.count(name), 1u) << name << " (" << type << ")";
  }
  EXPECT_EQ(found.count("ompt_start_tool"), 1u);
}

}  // namespace
}  // namespace ompprof::testing

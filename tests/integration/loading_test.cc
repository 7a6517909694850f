// The three ways into a process. The library brings only libc with it, and exports only the intended names.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

// Of programs that shall be sampled at all: hundreds of samples.
constexpr char kMs[] = "100";

class Loading : public ::testing::TestWithParam<Load> {};

TEST_P(Loading, GivesTheSameAnswer) {
  Launch launch{"flat", {std::to_string(KnownAnswerCpuMs())}};
  launch.load = GetParam();
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  // Through OMP_TOOL_LIBRARIES the collector arrives with the runtime, after the process has begun. The profile lacks
  // the time before. Here that is only the program's start, up to 1 % beside other programs.
  Tolerance tolerance;
  if (launch.load == Load::kToolLibraries) tolerance.share = 2;
  ExpectShares(*recorded, tolerance);
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
    Launch launch{"flat_gcc", {kMs}};
    launch.record_options = {std::string("--gomp-shim=") + shim};
    launch.environment["LD_LIBRARY_PATH"] = folder;
    const auto recorded = Record(launch);  // without a warning that it has no OMPT
    ASSERT_TRUE(recorded) << shim;
    EXPECT_EQ(recorded->profile.report().value("runtime", "").substr(0, 4), "LLVM") << shim;
  }
}

TEST(Loading, PreloadedAndNamedAsToolIsOneCollector) {
  Launch launch{"flat", {kMs}};
  launch.load = Load::kPreload;
  launch.environment["OMP_TOOL_LIBRARIES"] = CollectorPath();
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_EQ(outcome.profiles.size(), 1u);
}

// The report says why there are no regions, and the program runs as alone.
TEST(Loading, ToolsSwitchedOffLeaveAProfileWithoutRegions) {
  for (const char* program : {"flat", "flat_gcc"}) {
    for (const auto& [value, why] :
         {std::pair{"disabled", "OMP_TOOL=disabled in the program's environment turns it off"},
          std::pair{"1", "OMP_TOOL=1 in the program's environment is neither enabled nor disabled"}}) {
      Launch launch{program, {kMs}};
      launch.environment["OMP_TOOL"] = value;
      const Outcome outcome = RunProgram(launch);
      ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
      ASSERT_EQ(outcome.profiles.size(), 1u);
      const Profile profile(outcome.profiles[0]);
      EXPECT_GT(profile.FunctionTotalNs("work_a"), 0);
      EXPECT_EQ(profile.report().value("runtime", ""), "");
      const Outcome text = RunCommand({OmpprofPath(), "report", "--full", outcome.profiles[0]});
      EXPECT_NE(text.out.find(why), std::string::npos) << text.out;
    }
  }
}

// Programs that find a tool of their own: in the program, in a library, or by OMP_TOOL_LIBRARIES.
struct OwnTool {
  const char* name;
  const char* program;
  const char* preloaded = "";  // files, with colons between them
  const char* named = "";      // OMP_TOOL_LIBRARIES
  const char* note = "";       // why there are no regions; empty: there are
};

constexpr char kLibrary[] = "tool", kShim[] = "shim", kBoth[] = "shim:tool";
constexpr char kInProgram[] = ": the program has an OMPT tool of its own, in ";
constexpr char kNamed[] = ": OMP_TOOL_LIBRARIES in the program's environment names another OMPT tool, and ";

std::string FilesOf(const std::string& words) {
  std::string files;
  std::istringstream list(words);
  for (std::string word; std::getline(list, word, ':');)
    files += (files.empty() ? "" : ":") + (word == kShim ? ShimPath() : ProgramPath("libown_tool.so"));
  return files;
}

Launch LaunchOf(const OwnTool& row) {
  Launch launch{row.program, {kMs}};
  if (*row.preloaded != '\0') launch.environment["LD_PRELOAD"] = FilesOf(row.preloaded);
  if (*row.named != '\0') launch.environment["OMP_TOOL_LIBRARIES"] = FilesOf(row.named);
  launch.environment["LD_LIBRARY_PATH"] = std::filesystem::path(ShimPath()).parent_path();
  return launch;
}

std::string Heard(const Outcome& outcome) {
  const std::regex line("the tool heard of [^\n]*");
  std::smatch found;
  return std::regex_search(outcome.out, found, line) ? found.str() : "";
}

class OwnTools : public ::testing::TestWithParam<OwnTool> {};

// The program's tool is started as it is alone: on libgomp only with a shim that the user asks for.
TEST_P(OwnTools, RunAsAlone) {
  const OwnTool& row = GetParam();
  Launch launch = LaunchOf(row);
  launch.load = Load::kNone;
  const Outcome alone = RunProgram(launch);
  ASSERT_TRUE(alone.Exited(0)) << alone.Describe();
  const bool has_note = *row.note != '\0';
  EXPECT_EQ(Heard(alone), has_note ? "the tool heard of 2 threads, 1 regions and 2 implicit tasks" : "");
  launch.load = Load::kRecord;
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  EXPECT_EQ(Heard(recorded->outcome), Heard(alone));
  EXPECT_EQ(recorded->outcome.err, alone.err);
  const nlohmann::json report = recorded->profile.report();
  EXPECT_EQ(report.value("regions", nlohmann::json::array()).size(), has_note ? 0u : 1u);
  EXPECT_EQ(report.value("runtime", "").substr(0, 12), has_note ? "" : "libgomp_ompt");
  const std::string notes = report.at("notes").dump();
  EXPECT_EQ(notes.find("no regions") != std::string::npos, has_note) << notes;
  EXPECT_NE(notes.find(row.note), std::string::npos) << notes;
}

const OwnTool kOwnTools[] = {
    {"program", "own_tool", "", "", kInProgram},
    {"library", "own_tool_linked", "", "", kInProgram},
    {"preloaded", "flat", kLibrary, "", kInProgram},
    {"named", "flat", "", kLibrary, kNamed},
    {"gcc_program", "own_tool_gcc"},
    {"gcc_library", "own_tool_linked_gcc"},
    {"gcc_preloaded", "flat_gcc", kLibrary},
    {"gcc_named", "flat_gcc", "", kLibrary},
    {"shim_program", "own_tool_gcc", kShim, "", kInProgram},
    {"shim_library", "own_tool_linked_gcc", kShim, "", kInProgram},
    {"shim_preloaded", "flat_gcc", kBoth, "", kInProgram},
    {"shim_named", "flat_gcc", kShim, kLibrary, kInProgram},
    {"shim_linked", "own_tool_with_shim", "", "", kInProgram},
    {"shim_linked_preloaded", "flat_with_shim", kLibrary, "", kInProgram},
    {"shim_alone", "flat_gcc", kShim},
};
INSTANTIATE_TEST_SUITE_P(Ways, OwnTools, ::testing::ValuesIn(kOwnTools),
                         [](const auto& info) { return std::string(info.param.name); });

// As a recorded script does that records a program of its own: the shim is preloaded twice.
TEST(Loading, ARecordedRecordingBringsTheShimForItself) {
  const Launch launch{OmpprofPath(), {"record", "--", ProgramPath("own_tool_gcc"), kMs}};
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_NE(outcome.out.find("truth count started 0\n"), std::string::npos) << outcome.Describe();
}

TEST(Loading, AProgramsToolThatDeclinesLeavesItsPlace) {
  Launch launch{"own_tool_linked", {kMs}};
  launch.environment["OWN_TOOL_DECLINES"] = "1";
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  EXPECT_EQ(recorded->truth.counts.at("started"), 0);
  EXPECT_EQ(recorded->profile.report().value("runtime", "").substr(0, 4), "LLVM");
  EXPECT_EQ(recorded->profile.report().at("regions").size(), 1u);
}

// No tool is started, so no tool is the reason.
TEST(Loading, ASwitchedOffToolIsNoReason) {
  for (const char* program : {"own_tool", "own_tool_linked", "own_tool_gcc"}) {
    Launch launch{program, {kMs}};
    launch.environment["OMP_TOOL"] = "disabled";
    const auto recorded = Record(launch);
    ASSERT_TRUE(recorded);
    EXPECT_EQ(recorded->truth.counts.at("started"), 0) << program;
    const std::string notes = recorded->profile.report().at("notes").dump();
    EXPECT_EQ(notes.find("no regions"), std::string::npos) << notes;
    const Outcome text = RunCommand({OmpprofPath(), "report", "--full", recorded->outcome.profiles[0]});
    EXPECT_NE(text.out.find("no OMPT: OMP_TOOL=disabled in the program's environment turns it off"), std::string::npos)
        << text.out;
  }
}

TEST(Loading, AShimBehindLibgompIsNamed) {
  Launch launch{"flat_gcc", {kMs}};
  launch.load = Load::kPreload;
  launch.environment["LD_PRELOAD"] = "libgomp.so.1:" + CollectorPath() + ":" + ShimPath();
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const std::string notes = Profile(outcome.profiles[0]).report().at("notes").dump();
  EXPECT_NE(notes.find("libgomp_ompt.so comes behind libgomp"), std::string::npos) << notes;
}

TEST(Loading, AStrippedProgramAndAProgramWithoutOpenMp) {
  const std::string folder = NewFolder();
  ASSERT_TRUE(RunCommand({"strip", "-o", folder + "/flat_stripped", ProgramPath("flat")}).Exited(0));
  const Outcome stripped = RunProgram({folder + "/flat_stripped", {kMs}});
  EXPECT_TRUE(stripped.Exited(0)) << stripped.Describe();
  ASSERT_EQ(stripped.profiles.size(), 1u);
  const Profile profile(stripped.profiles[0]);
  EXPECT_EQ(profile.error(), "");
  EXPECT_GT(profile.CpuNs(), 0);

  const Outcome plain = RunProgram({"/bin/ls", {"/"}});
  EXPECT_TRUE(plain.Exited(0)) << plain.Describe();
  EXPECT_EQ(plain.err, "");
}

// The program's file is known by the name by which it was executed. (libomp ends programs without /proc now and then.)
TEST(Loading, WithoutProcFunctionsHaveTheirNames) {
  if (!RunCommand({"unshare", "--mount", "true"}).Exited(0)) GTEST_SKIP() << "unshare --mount is not permitted here";
  const char hide[] = R"(mount -t tmpfs none /proc && exec "$0" "$@")";
  const std::string file = NewFolder() + "/p.ompprof";
  const Outcome outcome = RunCommand({"unshare", "--mount", "sh", "-c", hide, OmpprofPath(), "record", "-F", "4000",
                                      "-o", file, "--", ProgramPath("flat_gcc"), "300"});
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  const Profile profile(file);
  ASSERT_EQ(profile.error(), "");
  EXPECT_EQ(profile.report().value("program", ""), std::filesystem::canonical(ProgramPath("flat_gcc")));
  for (const char* function : {"work_a", "work_b", "work_c"}) EXPECT_GT(profile.FunctionTotalNs(function), 0);
}

TEST(Loading, LinksTheCLibraryAndNothingElse) {
  const Outcome ldd = RunCommand({"ldd", CollectorPath()});
  ASSERT_TRUE(ldd.Exited(0)) << ldd.Describe();
  // Before glibc 2.34, libdl and libpthread were files of their own; since then they are empty.
  const std::set<std::string> libc = {"libc.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2",
                                      "linux-vdso.so.1"};
  std::istringstream lines(ldd.out);
  std::string line;
  while (std::getline(lines, line)) {
    std::string name = line.substr(line.find_first_not_of('\t'));
    name = name.substr(0, name.find(' '));
    EXPECT_EQ(libc.count(name.substr(name.rfind('/') + 1)), 1u) << line;
  }
}

TEST(Loading, ExportsOnlyWhatMustBeFound) {
  // Entry points that are looked up by name, and functions of libc and libgcc that must reach the collector when the
  // program calls them. Any further name could take the place of a symbol of the program.
  // clang-format off
  const std::set<std::string> allowed = {
      "ompt_start_tool", "ompprof_control", "ompprof_label",                           // entry points
      "ompprof_start_older_tool",                                                      // for libompprof_older_ompt.so
      "gomp_ompt_started_other_tool",                                                  // for libgomp_ompt.so
      "pthread_create", "thrd_create", "dlclose",                                      // threads, code
      "unshare", "setns",                                                              // one thread only
      "prctl",                                                                         // seccomp
      "setuid", "seteuid", "setreuid", "setresuid", "setgroups", "initgroups",         // ids of all threads
      "setgid", "setegid", "setregid", "setresgid",
      "_exit", "_Exit", "abort", "daemon",                                             // ends
      "execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle", "fexecve",  // ends as another program
      "execveat", "posix_spawn", "posix_spawnp", "system", "popen",                    // children that must not have us
      "fork", "__fork", "_Fork", "forkpty", "clone",                                   // places that we give back
      "vfork", "__vfork", "timer_create", "mq_notify", "sigqueue", "pthread_sigqueue",
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

// A program may have functions of its own under libc's names. The libraries' calls reach libc's functions all the same,
// and the program sees no call that it does not make alone.
TEST(Loading, AProgramsOwnFunctionsAreNotCalled) {
  for (const char* program : {"own_names", "own_names_gcc"}) {
    SCOPED_TRACE(program);
    Launch launch{program};
    launch.environment["OWN_NAMES"] = "a variable";
    launch.load = Load::kNone;
    const Outcome plain = RunProgram(launch);
    ASSERT_TRUE(plain.Exited(0)) << plain.Describe();
    EXPECT_EQ(plain.out, "the shell has: a variable\nmany names, status 0\n");
    launch.load = Load::kRecord;
    launch.record_options = {"-o", "there.ompprof"};
    const Outcome outcome = RunProgram(launch);
    EXPECT_EQ(outcome.out, plain.out);
    EXPECT_TRUE(std::filesystem::exists(outcome.folder + "/there.ompprof"));
    double work_ns = 0;
    for (const std::string& path : outcome.profiles) work_ns += Profile(path).FunctionTotalNs("own_work");
    EXPECT_GT(work_ns, 0);
  }
}

// What the libraries need of other objects. Functions with a version of libc's are bound to libc
// (libc_floor/library.c).
TEST(Loading, NeedsFewNamesThatAProgramCanReplace) {
  const std::map<std::string, std::string> allowed = {
      {"malloc", "the program's allocator, for libc as well"},
      {"calloc", "likewise"},
      {"realloc", "likewise"},
      {"free", "likewise"},
      {"aligned_alloc", "likewise"},
      {"__environ", "libc and the program share it; a name of the implementation's"},
      {"_r_debug", "likewise"},
      {"__libc_stack_end", "likewise"},
      {"program_invocation_short_name", "likewise"},
      {"stdout", "libc and the program share it; ISO C"},
      {"stderr", "likewise"},
      {"__asan_init", "asks whether there is one"},
      {"__msan_init", "likewise"},
      {"__tsan_init", "likewise"},
      {"__kmpc_global_thread_num", "likewise"},
      {"ompprof_start_older_tool", "the collector's"},
      {"_ITM_registerTMCloneTable", "gcc's start files"},
      {"_ITM_deregisterTMCloneTable", "likewise"},
      {"__gmon_start__", "likewise"},
  };
  for (const std::string& library : {CollectorPath(), OlderOmptPath(), ShimPath()}) {
    const Outcome readelf = RunCommand({"readelf", "-W", "--dyn-syms", library});
    ASSERT_TRUE(readelf.Exited(0)) << readelf.Describe();
    const std::regex needed("(FUNC|OBJECT|NOTYPE|TLS) +(?:GLOBAL|WEAK) +DEFAULT +UND +([^@\\s]+)(@GLIBC)?");
    int functions = 0;
    for (std::sregex_iterator at(readelf.out.begin(), readelf.out.end(), needed), end; at != end; ++at) {
      const bool is_allowed = allowed.count((*at)[2]) == 1;
      const bool is_bound = (*at)[1] == "FUNC" && (*at)[3].matched && !is_allowed;
      EXPECT_TRUE(is_bound || is_allowed) << library << " needs " << at->str();
      functions += is_bound ? 1 : 0;
    }
    EXPECT_GT(functions, 0) << library;
  }
}

std::string InstalledFolder() { return std::filesystem::path(OmpprofPath()).parent_path().parent_path(); }

// A library that asks for a newer version is not loaded, and the program with it. A command that asks for one does not
// start.
TEST(Loading, InstalledFilesNeedGlibc217) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(InstalledFolder())) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string file = entry.path();
    const Outcome objdump = RunCommand({"objdump", "-p", file});
    ASSERT_TRUE(objdump.Exited(0)) << objdump.Describe();
    // Of the table .gnu.version_r: hash, flags, index, name.
    const std::regex needed("0x[0-9a-f]{8} 0x[0-9a-f]{2} [0-9]{2} (?:GLIBC_2\\.([0-9]+)[.0-9]*|\\S+)");
    const std::string& text = objdump.out;
    int versions = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), needed), end; at != end; ++at, ++versions) {
      ASSERT_TRUE((*at)[1].matched) << file << " needs " << at->str();
      EXPECT_LE(std::stoi((*at)[1]), 17) << file << " needs " << at->str();
    }
    EXPECT_GT(versions, 0) << text;
  }
  EXPECT_EQ(files, 5);
}

// No library but libc, as the collector: Open MPI's for the worker of `merge --unify`.
TEST(Loading, TheCommandsBringTheirLibraries) {
  const std::set<std::string> libc = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0",
                                      "ld-linux-x86-64.so.2"};
  const std::regex needed("NEEDED +(\\S+)");
  for (const auto& [file, other] :
       {std::pair("/bin/ompprof", "libc.so.6"), std::pair("/lib/ompprof-mpi", "libmpi.so.40")}) {
    const Outcome objdump = RunCommand({"objdump", "-p", InstalledFolder() + file});
    ASSERT_TRUE(objdump.Exited(0)) << objdump.Describe();
    int libraries = 0;
    for (std::sregex_iterator at(objdump.out.begin(), objdump.out.end(), needed), end; at != end; ++at, ++libraries) {
      EXPECT_TRUE(libc.count((*at)[1]) == 1 || (*at)[1] == other) << file << " needs " << (*at)[1];
    }
    EXPECT_GT(libraries, 0) << objdump.out;
  }
}

}  // namespace
}  // namespace ompprof::testing

// A process ends as it would without the profiler, in whatever way it ends, and leaves a profile that can be read.
// tests/programs/exits.cc has the ways. The tests compare the status and output of two runs, without the profiler and
// with it.
#include <gtest/gtest.h>
#include <signal.h>
#include <string.h>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

// What each process works, in its own CPU time: some 500 samples.
constexpr char kWorkMs[] = "60";
constexpr double kWorkNs = 60e6;
// Of a process that leaves no more than what was written until it was killed: written each 20 ms, by a thread that a
// busy machine may keep waiting.
constexpr char kKilledWorkMs[] = "150";

struct Exit {
  const char* mode;  // of tests/programs/exits.cc
  bool seen;         // the collector notices the end, so the profile is whole
  int profiles;      // processes that leave a profile, with the collector preloaded; 0: at least one
};

constexpr Exit kExits[] = {{"return", true, 1},
                           {"exit", true, 1},
                           {"_exit", true, 1},
                           {"quick_exit", true, 1},
                           {"abort", true, 1},
                           {"raise", false, 1},
                           {"kill9", false, 1},
                           {"segv", false, 1},
                           {"atexit", true, 1},
                           {"exit_in_region", true, 1},
                           {"exit_in_nested_region", true, 1},
                           {"exit_in_task", true, 1},
                           {"exec", true, 2},
                           {"exec_fails", true, 1},
                           {"fork", true, 4},
                           {"spawn", true, 2},
                           {"vfork", true, 2},
                           {"system", true, 0},
                           {"thread_exits", true, 1},
                           {"main_leaves", true, 1},
                           {"detached", true, 1},
                           {"thread_without_descriptors_last", true, 1},
                           {"unknown_thread_last", true, 1},
                           {"c11_thread_last", true, 1},
                           {"handlers_of_main_last", true, 1},
                           {"handlers_of_thread_last", true, 1},
                           {"c11_thread_joined", true, 1}};

class Exits : public ::testing::TestWithParam<std::tuple<Load, Exit>> {};

TEST_P(Exits, LikeWithoutTheProfilerAndReadable) {
  const auto [load, exit] = GetParam();
  Launch launch{"exits", {exit.mode, exit.seen ? kWorkMs : kKilledWorkMs}};
  // A killed process leaves the data that was written until then.
  launch.environment["OMPPROF_FLUSH_INTERVAL"] = "0.02";
  launch.load = Load::kNone;
  const Outcome plain = RunProgram(launch);
  launch.load = load;
  const Outcome profiled = RunProgram(launch);

  ASSERT_TRUE(plain.started && !plain.timed_out) << plain.Describe();
  EXPECT_EQ(profiled.status, plain.status) << profiled.Describe();
  EXPECT_EQ(profiled.out, plain.out);
  EXPECT_EQ(ForeignLines(profiled.err), plain.err);
  EXPECT_EQ(WarningLines(profiled.err), 0) << profiled.err;

  if (exit.profiles != 0) {
    EXPECT_EQ(profiled.profiles.size(), static_cast<size_t>(exit.profiles));
  }
  ASSERT_FALSE(profiled.profiles.empty());
  bool worked = false;
  for (const std::string& path : profiled.profiles) {
    const Profile profile(path);
    ASSERT_EQ(profile.error(), "") << path;
    EXPECT_EQ(profile.Complete(), exit.seen) << path;
    worked |= profile.FunctionTotalNs("exit_work") > 0;
  }
  EXPECT_TRUE(worked) << "no profile has the work done before the end";
}

INSTANTIATE_TEST_SUITE_P(Modes, Exits,
                         ::testing::Combine(::testing::Values(Load::kRecord, Load::kPreload),
                                            ::testing::ValuesIn(kExits)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param) == Load::kRecord ? "Record_" : "Preload_") +
                                  std::get<1>(info.param).mode;
                         });

// The program works by a count of iterations, which it calibrates. Other programs on the same core make it take more
// than twice the time, which the threads' CPU clocks know.
void ExpectWork(const Profile& profile, const char* function, double expected_ns) {
  double clocks_ns = 0;
  for (const nlohmann::json& thread : profile.report().at("threads")) clocks_ns += thread.value("cpu_ns", 0.0);
  EXPECT_GT(profile.FunctionTotalNs(function), 0.5 * expected_ns) << function;
  EXPECT_LT(profile.FunctionTotalNs(function), 1.02 * clocks_ns) << function;
}

TEST(Exits, EachForkedChildHasItsOwnWork) {
  const Outcome outcome = RunProgram({"exits", {"fork", kWorkMs}});
  ASSERT_TRUE(outcome.Exited(17)) << outcome.Describe();
  int parents = 0, children = 0;
  for (const std::string& path : outcome.profiles) {
    const Profile profile(path);
    ASSERT_EQ(profile.error(), "");
    const double own = profile.FunctionTotalNs("child_work"), inherited = profile.FunctionTotalNs("exit_work");
    // The child starts with an empty profile. Work of its parent before the fork is in the parent's profile only.
    EXPECT_TRUE((own > 0) != (inherited > 0)) << path << " has " << own << " ns and " << inherited << " ns";
    own > 0 ? children++ : parents++;
    if (own > 0) ExpectWork(profile, "child_work", kWorkNs);
  }
  EXPECT_EQ(parents, 1);
  EXPECT_EQ(children, 3);
}

// A program may call _exit where it may call little else.
TEST(Exits, _exitNeitherWaitsForALockNorIsCancelled) {
  Launch launch{"exits", {"_exit_in_hard_places", "20"}};
  launch.load = Load::kPreload;
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(17)) << outcome.Describe();
  EXPECT_NE(outcome.out.find("right 160\n"), std::string::npos) << outcome.Describe();
  EXPECT_EQ(outcome.err, "");
}

TEST(Exits, ChildrenAreLeftAloneIfAskedTo) {
  Launch launch{"exits", {"fork", "100"}};
  launch.environment["OMPPROF_CHILDREN"] = "0";
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Exited(17)) << outcome.Describe();
  EXPECT_EQ(outcome.profiles.size(), 1u);
}

TEST(Exits, WorkInAtexitHandlersAndAfterAFailedExecIsRecorded) {
  for (const char* mode : {"atexit", "exec_fails", "main_leaves"}) {
    SCOPED_TRACE(mode);
    const Outcome outcome = RunProgram({"exits", {mode, kWorkMs}});
    ASSERT_TRUE(outcome.Exited(17)) << outcome.Describe();
    ASSERT_EQ(outcome.profiles.size(), 1u);
    const Profile profile(outcome.profiles[0]);
    ASSERT_EQ(profile.error(), "");
    const bool leaves = std::string(mode) == "main_leaves";
    ExpectWork(profile, leaves ? "exit_work" : "child_work", leaves ? 2 * kWorkNs : kWorkNs);
  }
}

// The runtime has finalized the tool by then, and tells no tasks.
TEST(Exits, DestructorsAfterAnExitInARegionAreTheUsers) {
  for (const char* program : {"exits", "exits_gcc"}) {
    for (const char* mode : {"exit_in_region", "exit_in_nested_region", "exit_in_task"}) {
      SCOPED_TRACE(std::string(program) + " " + mode);
      const Outcome outcome = RunProgram({program, {mode, kWorkMs}});
      ASSERT_TRUE(outcome.Exited(17)) << outcome.Describe();
      ASSERT_EQ(outcome.profiles.size(), 1u);
      const Profile profile(outcome.profiles[0]);
      ASSERT_EQ(profile.error(), "");
      ExpectWork(profile, "child_work", kWorkNs);
    }
  }
}

// LLVM's runtime keeps its threads, so that such a process does not end.
TEST(Exits, HandlersBehindMainsPthreadExitAreRecorded) {
  const std::pair<const char*, const char*> cases[] = {
      {"exits", "handlers_of_main_last"}, {"exits", "handlers_of_thread_last"}, {"exits_gcc", "handlers_of_libgomp"}};
  for (const auto& [program, mode] : cases) {
    SCOPED_TRACE(mode);
    const Outcome outcome = RunProgram({program, {mode, kWorkMs}});
    ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
    ASSERT_EQ(outcome.profiles.size(), 1u);
    const Profile profile(outcome.profiles[0]);
    ASSERT_EQ(profile.error(), "");
    ExpectWork(profile, "child_work", 2 * kWorkNs);
    for (const Profile::Stack& stack : profile.stacks()) {
      bool works = false;
      for (const Profile::Frame& frame : stack.frames) works |= frame.function == "child_work";
      EXPECT_EQ(works, works && stack.frames.front().function == "exit") << stack.frames.front().function;
    }
  }
}

TEST(Exits, ThreadsOfC11AreThreads) {
  for (const char* mode : {"c11_thread_last", "c11_thread_joined"}) {
    SCOPED_TRACE(mode);
    Launch launch{"exits", {mode, kWorkMs}};
    const Outcome outcome = RunProgram(launch);
    ASSERT_TRUE(outcome.Exited(strcmp(mode, "c11_thread_last") == 0 ? 0 : 17)) << outcome.Describe();
    ASSERT_EQ(outcome.profiles.size(), 1u);
    const Profile profile(outcome.profiles[0]);
    ASSERT_EQ(profile.error(), "");
    ExpectWork(profile, "child_work", kWorkNs);
  }
}

// The program is killed as soon as its profile exists. A file without a header could not be read.
TEST(Exits, AFileHasItsHeaderAtOnce) {
  int readable = 0;
  for (int run = 0; run < 30; ++run) {
    const std::string folder = NewFolder();
    const Outcome outcome =
        RunCommand({"/bin/bash", "-c",
                    "\"$0\" record -q -o profile -- /bin/sleep 30 & until [ -e profile ]; do :; done; kill -KILL $!; "
                    "wait; exec \"$0\" info profile",
                    OmpprofPath()},
                   folder);
    readable += outcome.Exited(0) && outcome.out.find("/bin/sleep") != std::string::npos;
    EXPECT_NE(outcome.out.find("no end"), std::string::npos) << outcome.Describe();
  }
  EXPECT_EQ(readable, 30);
}

TEST(Exits, AKilledProcessIsSaidToBeIncomplete) {
  Launch launch{"exits", {"kill9", kKilledWorkMs}};
  launch.environment["OMPPROF_FLUSH_INTERVAL"] = "0.02";
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Killed(SIGKILL)) << outcome.Describe();
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Outcome report = RunCommand({OmpprofPath(), "report", outcome.profiles[0]});
  EXPECT_TRUE(report.Exited(0)) << report.Describe();
  EXPECT_NE(report.out.find("the profile has no end"), std::string::npos) << report.Describe();
}

}  // namespace
}  // namespace ompprof::testing

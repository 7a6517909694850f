// The programs of scripts/bench tasks (tests/bench/task_programs.h), small. With the profiler each program gives its
// result of one thread alone, and the answer that is known without the program. No sample is lost. Ten thousand
// taskwaits within each other are among them.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <map>
#include <sstream>
#include <utility>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

struct Program {
  const char* name;
  int size;
  int times;
  uint64_t answer;
  uint64_t tasks;  // created each time
};

// The runtime that ran the program: the compiler's, and the version of libomp, 0 for the system's, which is 14.
struct Runtime {
  const char* name;
  const char* program;
  int libomp;
};

// Ten thousand taskwaits within each other take some 5 MiB of stack.
constexpr rlim_t kStackBytes = 64 << 20;

void AllowDeepStacks() {
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kStackBytes) return;
  limit.rlim_cur = limit.rlim_max < kStackBytes ? limit.rlim_max : kStackBytes;
  setrlimit(RLIMIT_STACK, &limit);
}

Launch LaunchOf(const Runtime& runtime, const Program& program, int threads, Load load) {
  AllowDeepStacks();
  Launch launch;
  launch.program = BuiltPath(std::string("tests/bench/") + runtime.program);
  launch.arguments = {program.name, std::to_string(program.size), std::to_string(program.times), "100"};
  launch.load = load;
  launch.threads = threads;
  launch.libomp = runtime.libomp;
  launch.environment["OMP_STACKSIZE"] = "64M";
  return launch;
}

// The number in the line "NAME N".
uint64_t Printed(const Outcome& outcome, const std::string& name) {
  std::istringstream lines(outcome.out);
  std::string word;
  uint64_t number = 0;
  while (lines >> word >> number) {
    if (word == name) return number;
    lines.ignore(1000, '\n');
  }
  ADD_FAILURE() << "no " << name << ": " << outcome.Describe();
  return 0;
}

// The result is equal for all thread counts.
const Outcome& Alone(const Runtime& runtime, const Program& program) {
  static std::map<std::tuple<std::string, std::string, int>, Outcome> outcomes;
  const auto [found, is_new] = outcomes.try_emplace({runtime.name, program.name, program.times});
  if (is_new) found->second = RunProgram(LaunchOf(runtime, program, 1, Load::kNone));
  return found->second;
}

class TaskPrograms : public ::testing::TestWithParam<std::tuple<Runtime, Program, int>> {};

TEST_P(TaskPrograms, FindTheSameUnderTheProfiler) {
  const auto& [runtime, program, threads] = GetParam();
  if (runtime.libomp != 0 && RuntimeFolder(runtime.libomp).empty()) {
    GTEST_SKIP() << "libomp " << runtime.libomp << " is not under .deps/: scripts/setup could not download it.";
  }
  const Outcome& alone = Alone(runtime, program);
  ASSERT_TRUE(alone.Exited(0)) << alone.Describe();
  const Outcome outcome = RunProgram(LaunchOf(runtime, program, threads, Load::kRecord));
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_EQ(Printed(outcome, "result"), Printed(alone, "result"));
  EXPECT_EQ(Printed(outcome, "answer"), program.answer);
  EXPECT_EQ(Printed(outcome, "tasks"), program.tasks * static_cast<uint64_t>(program.times));
  EXPECT_EQ(ForeignLines(outcome.err), "");

  ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_GT(profile.Samples(), 0);
  EXPECT_EQ(profile.Lost(), 0) << RunCommand({OmpprofPath(), "info", outcome.profiles[0]}).out.substr(0, 2000);
  EXPECT_TRUE(profile.Complete());
  // Workers are below it as well. Some programs have few samples, so chance counts: six standard deviations.
  const double chance = 6 * std::sqrt(0.8 * 0.2 / profile.Samples());
  EXPECT_GT(profile.FunctionTotalNs("main"), (0.8 - chance) * profile.CpuNs());
}

std::string NameOf(const ::testing::TestParamInfo<TaskPrograms::ParamType>& info) {
  const auto& [runtime, program, threads] = info.param;
  return std::string(program.name) + "_" + runtime.name + "_threads" + std::to_string(threads);
}

const auto kRuntimes =
    ::testing::Values(Runtime{"libomp14", "task_programs", 0}, Runtime{"libomp19", "task_programs", 19},
                      Runtime{"libgomp", "task_programs_gcc", 0});

INSTANTIATE_TEST_SUITE_P(
    , TaskPrograms,
    ::testing::Combine(kRuntimes,
                       ::testing::Values(Program{"search", 2000, 50, 2000, 1999},
                                         Program{"search_shallow", 1057, 100, 1057, 1056},
                                         Program{"fib", 16, 30, 987, 3192}, Program{"queens", 8, 50, 92, 2056},
                                         Program{"lu", 14, 100, 196, 910}, Program{"sort", 8192, 50, 8192, 1022},
                                         Program{"pipeline", 250, 50, 2000, 2000}),
                       ::testing::Values(1, 2, 4)),
    NameOf);

INSTANTIATE_TEST_SUITE_P(Deep, TaskPrograms,
                         ::testing::Combine(kRuntimes,
                                            ::testing::Values(Program{"search_deep", 10000, 20, 10000, 9999}),
                                            ::testing::Values(1, 2)),
                         NameOf);

// It goes through a null pointer if it is asked for the thread's number of a task far beyond the last.
INSTANTIATE_TEST_SUITE_P(DeepOnAnOlderRuntime, TaskPrograms,
                         ::testing::Combine(::testing::Values(Runtime{"libomp13", "task_programs", 13}),
                                            ::testing::Values(Program{"search_deep", 10000, 20, 10000, 9999}),
                                            ::testing::Values(2)),
                         NameOf);

// More threads than processors. libomp's threads that wait in nested taskwaits then keep the processors from the one
// that has work: the twenty searches take over a minute, without the profiler as well.
INSTANTIATE_TEST_SUITE_P(DeepOnFewProcessors, TaskPrograms,
                         ::testing::Combine(kRuntimes, ::testing::Values(Program{"search_deep", 10000, 2, 10000, 9999}),
                                            ::testing::Values(4)),
                         NameOf);

}  // namespace
}  // namespace ompprof::testing

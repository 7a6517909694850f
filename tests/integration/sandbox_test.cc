// A program that gives up system calls (seccomp) ends as it does without the profiler. After that moment the profiler
// makes no system call: the filters of tests/programs/sandbox.cc kill at any call that the program itself does not
// make. The samples before that moment are in a complete profile.
#include <gtest/gtest.h>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

struct Row {
  const char* mode;  // of tests/programs/sandbox.cc
  int status;
  bool seals;  // the process of main() gives up calls
};

// The work before the calls are given up takes 60 ms, which may have no sample at the default rate on a busy machine.
constexpr int kRates[] = {1000, 10000};

constexpr Row kRows[] = {{"strict", 36, true},
                         {"strict_by_syscall", 36, true},
                         {"strict_in_thread", 36, true},
                         {"strict_in_child", 36, false},
                         {"filter", 36, true},
                         {"filter_then_filter", 36, true},
                         {"filter_by_syscall_prctl", 36, true},
                         {"filter_all_busy", 36, true},
                         {"filter_all_idle", 36, true},
                         {"filter_then_threads", 36, true},
                         {"filter_then_fork", 36, true},
                         {"filter_then_exec", 35, true},
                         {"filter_then_spawn", 36, true},
                         {"fork_then_filter_exec", 36, false},
                         {"vfork_then_filter_exec", 36, false},
                         {"vfork_then_filter_exit", 36, false},
                         {"probe", 36, false},
                         {"calls", 36, false}};

bool HasNote(const Profile& profile) {
  return profile.report().value("notes", nlohmann::json::array()).dump().find("gave up system calls") !=
         std::string::npos;
}

Outcome ExpectTheSame(Launch launch, int status) {
  launch.load = Load::kNone;
  const Outcome plain = RunProgram(launch);
  EXPECT_TRUE(plain.Exited(status)) << "without the profiler: " << plain.Describe();
  launch.load = Load::kRecord;
  const Outcome profiled = RunProgram(launch);
  EXPECT_TRUE(profiled.Exited(status)) << profiled.Describe();
  EXPECT_EQ(profiled.out, plain.out);
  EXPECT_EQ(profiled.err, plain.err);
  return profiled;
}

class Sandbox : public ::testing::TestWithParam<std::tuple<const char*, int, Row>> {};

TEST_P(Sandbox, EndsAsWithoutTheProfiler) {
  const auto& [program, frequency, row] = GetParam();
  Launch launch{program, {row.mode}};
  launch.frequency = frequency;
  const Outcome profiled = ExpectTheSame(launch, row.status);
  ASSERT_GE(profiled.profiles.size(), 1u);
  double before = 0, after = 0;
  bool noted = false;
  for (const std::string& path : profiled.profiles) {
    const Profile profile(path);
    ASSERT_EQ(profile.error(), "") << path;
    EXPECT_TRUE(profile.Complete()) << path;
    before += profile.FunctionTotalNs("sandbox_before");
    after += profile.FunctionTotalNs("sandbox_after");
    noted |= HasNote(profile);
  }
  EXPECT_GT(before, 0);
  const std::string mode = row.mode;
  if (row.seals) {
    EXPECT_TRUE(noted);
    // Threads that work meanwhile may be sampled until the filter is there.
    if (mode != "filter_all_busy") {
      EXPECT_EQ(after, 0);
    }
  } else if (mode != "strict_in_child") {
    EXPECT_GT(after, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, Sandbox,
                         ::testing::Combine(::testing::Values("sandbox", "sandbox_gcc"), ::testing::ValuesIn(kRates),
                                            ::testing::ValuesIn(kRows)),
                         [](const auto& info) {
                           return std::string(std::get<2>(info.param).mode) + "_" + std::get<0>(info.param) +
                                  (std::get<1>(info.param) == kRates[0] ? "" : "_10kHz");
                         });

// The return from a handler is a system call, too. A thread in a handler may not get a processor for a while.
TEST(SandboxedThreads, AreWaitedForWhileTheyHaveNoProcessor) {
  Launch launch{"sandbox", {"filter_all_starved"}};
  launch.frequency = 10000;
  for (int run = 0; run < 10; ++run) {
    const Outcome outcome = RunProgram(launch);
    EXPECT_TRUE(outcome.Exited(36)) << outcome.Describe();
  }
}

// The OpenMP runtime's events go on after the filter, on libomp and on GCC's libgomp under the shim.
class SandboxedRegion : public ::testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(SandboxedRegion, EndsAsWithoutTheProfiler) {
  const auto& [program, frequency] = GetParam();
  Launch launch{program};
  launch.frequency = frequency;
  const Outcome profiled = ExpectTheSame(launch, 36);
  ASSERT_EQ(profiled.profiles.size(), 1u);
  const Profile profile(profiled.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_TRUE(profile.Complete());
  EXPECT_TRUE(HasNote(profile));
  EXPECT_GT(profile.FunctionTotalNs("region_before"), 0);
  EXPECT_EQ(profile.FunctionTotalNs("region_after"), 0);
}

INSTANTIATE_TEST_SUITE_P(Runtimes, SandboxedRegion,
                         ::testing::Combine(::testing::Values("sandboxed_region", "sandboxed_region_gcc"),
                                            ::testing::ValuesIn(kRates)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) == kRates[0] ? "" : "_10kHz");
                         });

}  // namespace
}  // namespace ompprof::testing

// No system call of the program ends, or is cut, because of a sample. And those that return at once cost no more than
// without the profiler. tests/programs/calls.cc has the calls.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"
#include "tests/statistics/claims.h"

namespace ompprof::testing {
namespace {

// The program prints the same with the profiler as without it. Returns its outcome with the profiler.
Outcome ExpectAsAlone(Launch launch) {
  launch.load = Load::kNone;
  const Outcome plain = RunProgram(launch);
  EXPECT_TRUE(plain.Exited(0)) << plain.Describe();
  launch.load = Load::kRecord;
  Outcome profiled = RunProgram(launch);
  EXPECT_TRUE(profiled.Exited(0)) << profiled.Describe();
  EXPECT_EQ(profiled.out, plain.out);
  return profiled;
}

class Calls : public ::testing::TestWithParam<const char*> {};

TEST_P(Calls, AreAsWithoutTheProfiler) {
  Launch launch{"calls", {GetParam()}};
  launch.frequency = 10000;
  launch.environment["OMPPROF_CHILDREN"] = "0";
  const Outcome profiled = ExpectAsAlone(launch);
  ASSERT_EQ(profiled.profiles.size(), 1u);
  const Profile profile(profiled.profiles[0]);
  EXPECT_EQ(profile.error(), "");
  EXPECT_TRUE(profile.Complete());
  // No thread was left to the kernel's ticks.
  const std::string notes = profile.report().value("notes", nlohmann::json::array()).dump();
  EXPECT_EQ(notes.find("tick"), std::string::npos) << notes;
}

INSTANTIATE_TEST_SUITE_P(Modes, Calls, ::testing::Values("waits", "ended", "transfers", "at_once"),
                         [](const auto& info) { return std::string(info.param); });

// By libc's function or by number, and the rate.
class EveryCall : public ::testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(EveryCall, IsAsWithoutTheProfiler) {
  const auto& [way, frequency] = GetParam();
  Launch launch{"every_call", {way}};
  launch.frequency = frequency;
  ExpectAsAlone(launch);
}

INSTANTIATE_TEST_SUITE_P(Ways, EveryCall,
                         ::testing::Combine(::testing::Values("name", "number"), ::testing::Values(0, 10000)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_" + std::to_string(std::get<1>(info.param));
                         });

// The way out of a call, the program, and the clock. tests/programs/left_calls.cc has the calls.
class LeftCalls : public ::testing::TestWithParam<std::tuple<const char*, const char*, const char*>> {};

// Samples come in the code that runs then. The wait's mask would keep them away, or the timer would be off.
TEST_P(LeftCalls, AreOver) {
  const auto& [way, program, clock] = GetParam();
  Launch launch{program, {way}};
  launch.record_options = {std::string("--clock=") + clock};
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_NE(outcome.out.find("threads 16, SIGPROF blocked in 0\n"), std::string::npos) << outcome.out;
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Profile profile(outcome.profiles[0]);
  EXPECT_EQ(profile.error(), "");
  const Truth truth = Truth::Parse(outcome.out);
  EXPECT_EQ(truth.functions.size(), 16u);
  for (const auto& [function, cpu_ns] : truth.functions)
    EXPECT_GT(profile.FunctionTotalNs(function), cpu_ns / 2) << function;
}

INSTANTIATE_TEST_SUITE_P(Ways, LeftCalls,
                         ::testing::Combine(::testing::Values("cancel", "exit", "throw", "jump"),
                                            ::testing::Values("left_calls", "left_calls_gcc"),
                                            ::testing::Values("cpu", "wall")),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_" + std::get<2>(info.param) + "_" +
                                  std::get<1>(info.param);
                         });

// Some of the jumps find the collector at work at the end of a call. Its samples must not stay away from then on.
TEST(LeftCallsAtAnyMoment, AreOver) {
  const Outcome outcome = RunProgram({"left_calls", {"often"}});
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Profile profile(outcome.profiles[0]);
  EXPECT_EQ(profile.error(), "");
  EXPECT_GT(profile.FunctionTotalNs("after_jumps"), Truth::Parse(outcome.out).functions.at("after_jumps") / 2);
}

// At the default rate. With three system calls of ours around each, it took three to five times as long.
TEST(CallsAtOnce, CostWhatTheyCostAlone) {
  Decide([](Claims* claims) {
    const auto cpu_ns = [](Load load) {
      Launch launch{"calls", {"at_once"}};
      launch.load = load;
      const Outcome outcome = RunProgram(launch);
      EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
      return static_cast<double>(Truth::Parse(outcome.err).counts.at("calls_ns"));
    };
    const double alone = cpu_ns(Load::kNone);
    claims->Near("CPU time over alone", cpu_ns(Load::kPreload) / alone, 1, 0.15);
  });
}

}  // namespace
}  // namespace ompprof::testing

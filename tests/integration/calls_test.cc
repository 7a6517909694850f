// No system call of the program ends, or is cut, because of a sample. And those that return at once cost no more than
// without the profiler. tests/programs/calls.cc has the calls.
#include <gtest/gtest.h>

#include <string>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"
#include "tests/statistics/claims.h"

namespace ompprof::testing {
namespace {

class Calls : public ::testing::TestWithParam<const char*> {};

TEST_P(Calls, AreAsWithoutTheProfiler) {
  Launch launch{"calls", {GetParam()}};
  launch.frequency = 10000;
  launch.environment["OMPPROF_CHILDREN"] = "0";
  launch.load = Load::kNone;
  const Outcome plain = RunProgram(launch);
  ASSERT_TRUE(plain.Exited(0)) << plain.Describe();
  launch.load = Load::kRecord;
  const Outcome profiled = RunProgram(launch);
  EXPECT_TRUE(profiled.Exited(0)) << profiled.Describe();
  EXPECT_EQ(profiled.out, plain.out);
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

// A handler that takes longer than the time between samples still leaves the program most of the time. ompprof lowers
// the rate, and the profile says so. libunwind with a slow walk (slow_unwind.cc) makes the handler slow.
#include <gtest/gtest.h>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

struct Slow {
  const char* name;
  const char* clock;
  int frequency;
  int handler_us;
};

class Pace : public ::testing::TestWithParam<Slow> {};

TEST_P(Pace, LeavesTheProgramMostOfTheTime) {
  const Slow& slow = GetParam();
  Launch launch{"fixed_work"};
  launch.load = Load::kNone;
  const Truth plain = Truth::Parse(RunProgram(launch).out);
  ASSERT_GT(plain.process, 0);
  launch.limit_s = 30;
  launch.load = Load::kPreload;
  launch.frequency = slow.frequency;
  launch.environment = {{"LD_LIBRARY_PATH", BuiltPath("tests/integration/slow_unwind")},
                        {"SLOW_UNWIND_US", std::to_string(slow.handler_us)},
                        {"OMPPROF_CLOCK", slow.clock},
                        {"OMPPROF_UNWIND", "libunwind"}};
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  // A quarter of the time for the handler, once it has found its pace, and 16 samples before that.
  const double before_pace = 17 * (slow.handler_us * 1e3 + 1e9 / slow.frequency);
  const Truth truth = Truth::Parse(outcome.out);
  printf("process %.0f ms, without the profiler %.0f ms\n", truth.process * 1e-6, plain.process * 1e-6);
  EXPECT_LT(truth.process, 1.6 * plain.process + before_pace);
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  const std::string notes = profile.report().value("notes", nlohmann::json::array()).dump();
  EXPECT_NE(notes.find("the rate of a thread was lowered"), std::string::npos) << notes;
}

INSTANTIATE_TEST_SUITE_P(Handlers, Pace,
                         ::testing::Values(Slow{"default_rate", "cpu", 100, 12000},
                                           Slow{"highest_rate", "cpu", 10000, 400},
                                           Slow{"highest_rate_very_slow", "cpu", 10000, 3000},
                                           Slow{"wall_clock", "wall", 10000, 400}),
                         [](const auto& info) { return std::string(info.param.name); });

// What the first screen says of the profiler's own time, beside paired runs. Signals are nearly all of it here. How
// much one takes differs between machines, from 2 us to 30.
TEST(OwnTime, IsToldAsItIs) {
  constexpr int kRuns = 5;
  double alone = 0, recorded = 0, told = 0;
  for (int run = 0; run < kRuns; ++run) {
    Launch launch{"fixed_work"};
    launch.load = Load::kNone;
    alone += Truth::Parse(RunProgram(launch).out).process;
    launch.load = Load::kRecord;
    launch.frequency = 8000;
    const Outcome outcome = RunProgram(launch);
    ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
    recorded += Truth::Parse(outcome.out).process;
    told += Profile(outcome.profiles[0]).report().at("overhead").value("collector_percent", 0.0) / 100 / kRuns;
  }
  const double measured = 1 - alone / recorded;
  printf("told %.1f %%, measured %.1f %%\n", 100 * told, 100 * measured);
  EXPECT_GT(told, 0.01);
  // Other programs move the runs' time by some points.
  EXPECT_NEAR(told, measured, 0.25 * measured + 0.05);
}

}  // namespace
}  // namespace ompprof::testing

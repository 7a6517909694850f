// What samples cost the program.
//
// A handler that takes longer than the time between samples still leaves the program most of the time. ompprof lowers
// the rate, and the profile says so. libunwind with a slow walk (slow_unwind.cc) makes the handler slow.
#include <gtest/gtest.h>

#include "tests/integration/expect.h"
#include "tests/integration/harness.h"
#include "tests/integration/profile.h"
#include "tests/statistics/claims.h"

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

// A thread that sleeps is woken less and less often: in the same sleep, 48 times until its instants are a 64th as many.
// The handler's own waits, for the process's memory, end no sleep. When they did, a thousand threads had 20 to 40
// signals a second each, for ever, and the program took 20 times as long.
TEST(SleepingThreads, AreWokenLessAndLessOften) {
  Launch launch{"asleep_beside_maps"};
  launch.frequency = 0;
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  const double seconds = recorded->truth.elapsed.at("all") * 1e-9;
  EXPECT_LT(recorded->truth.counts.at("sleeps_of_a_thread"), 100 + 8 * seconds);
}

// All signals that find threads asleep take a twentieth of a processor: no more than 10,000 a second, for one takes 5
// us or more. At the rate of working threads, these would have 60,000.
TEST(SleepingThreads, AreFewSignalsHoweverManyThreads) {
  Launch launch{"asleep_shortly"};
  launch.frequency = 0;
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  const double seconds = recorded->truth.elapsed.at("all") * 1e-9;
  printf("%.0f a second\n", recorded->truth.counts.at("woken") / seconds);
  EXPECT_LT(recorded->truth.counts.at("woken"), 12000 * seconds);
}

// What the first screen says of the profiler's own time, beside paired runs. Signals are nearly all of it here. How
// much one takes differs between machines, from 2 us to 30.
TEST(OwnTime, IsToldAsItIs) {
  Decide([](Claims* claims) {
    Launch launch{"fixed_work"};
    launch.load = Load::kNone;
    const double alone = Truth::Parse(RunProgram(launch).out).process;
    launch.load = Load::kRecord;
    launch.frequency = 8000;
    const Outcome outcome = RunProgram(launch);
    ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
    const double measured = 100 * (1 - alone / Truth::Parse(outcome.out).process);
    const double told = Profile(outcome.profiles[0]).report().at("overhead").value("collector_percent", 0.0);
    EXPECT_GT(told, 1);
    // Other programs move a run's time by some points.
    claims->Near("percent of the time told", told, measured, 6, 3);
  });
}

}  // namespace
}  // namespace ompprof::testing

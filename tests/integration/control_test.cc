// omp_control_tool: a program says which of its phases to record. The tests fail if a sample of another phase is
// recorded, or if samples of a recorded phase are missing.
#include <gtest/gtest.h>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

constexpr char kMs[] = "1000";

// omp_control_tool and ompprof.h do the same.
void AddPhases(const std::vector<std::string>& arguments, Claims* claims) {
  const Outcome outcome = RunProgram({"control_tool", arguments});
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  for (const char* command : {"pause", "start", "flush", "end"}) {
    EXPECT_NE(outcome.out.find(std::string("control ") + command + " 0\n"), std::string::npos)
        << command << " was not answered with 0, done\n"
        << outcome.out;
  }
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_TRUE(profile.Complete());
  const Truth truth = Truth::Parse(outcome.out);
  EXPECT_EQ(profile.FunctionTotalNs("phase_off"), 0);
  EXPECT_EQ(profile.FunctionTotalNs("phase_after_end"), 0);
  for (const char* recorded : {"phase_on", "phase_on_again"}) {
    // Nearly all of 250 ms on two threads. A sample's period is lost at either end of the phase.
    claims->Near(recorded, profile.FunctionTotalNs(recorded) / truth.functions.at(recorded), 1, 0.05);
  }
}

void ExpectOnlyTheWantedPhases(const std::vector<std::string>& arguments) {
  Decide([&](Claims* claims) { AddPhases(arguments, claims); });
}

TEST(Control, PauseStartFlushEnd) { ExpectOnlyTheWantedPhases({kMs}); }

TEST(Control, PauseStartFlushEndFromC) { ExpectOnlyTheWantedPhases({kMs, "c_api"}); }

TEST(Control, WithoutTheProfilerTheCallsDoNothing) {
  Launch launch{"control_tool", {"200", "c_api"}};
  launch.load = Load::kNone;
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_NE(outcome.out.find("control pause -1\n"), std::string::npos) << outcome.out;
}

TEST(Control, FirstStartOfAPausedCollector) {
  Launch launch{"control_tool", {kMs}};
  launch.environment["OMPPROF_PAUSED"] = "1";
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_EQ(profile.FunctionTotalNs("phase_on"), 0);
  EXPECT_EQ(profile.FunctionTotalNs("phase_off"), 0);
  EXPECT_GT(profile.FunctionTotalNs("phase_on_again"), 0);
}

// The collector's own thread ends --delay. Above the tick rate too, samples must then come at the requested rate.
TEST(Control, DelayAtAHighRate) {
  Launch launch{"flat", {"2000"}};
  launch.frequency = 2000;
  launch.environment["OMPPROF_DELAY"] = "0.4";
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    const double seen = each.profile.CpuNs() / each.truth.process;
    claims->Mostly("the program's end is seen, and not its begin", 0.2 < seen && seen < 0.9);
    // A CPU timer gives 250 a second; this is well above that.
    claims->Mostly("1,000 samples a second", each.profile.Samples() / (each.profile.CpuNs() * 1e-9) > 1000);
  });
}

}  // namespace
}  // namespace ompprof::testing

// A program that uses up a limit exactly comes as far with the profiler as without it. The profiler gives its own place
// back, and the profile goes on without it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <tuple>
#include <vector>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

struct Limited {
  const char* kind;
  const char* limit;
  const char* note;  // a part of the note that says so; empty: none is due
};

constexpr char kNoHelper[] = "so ompprof has no helper thread";
constexpr char kFewPlaces[] = "a limit allows few threads and processes";
constexpr char kNoTimer[] = "leaves no timer for each thread";

class Limits : public ::testing::TestWithParam<std::tuple<const char*, Limited>> {};

// What the program tells, without its measurements.
std::string Told(const std::string& out) {
  std::string told;
  for (size_t at = 0; at < out.size();) {
    const size_t end = out.find('\n', at) + 1;
    if (out.compare(at, 6, "truth ") != 0) told += out.substr(at, end - at);
    at = end == 0 ? out.size() : end;
  }
  return told;
}

Launch Of(const char* program, const Limited& limited, const char* ms) {
  Launch launch{program, {limited.kind, limited.limit, ms}};
  launch.load = Load::kNone;
  return launch;
}

// The profile has the work before the limit was reached, and after.
void ExpectWork(const Outcome& outcome, const char* note) {
  ASSERT_GE(outcome.profiles.size(), 1u) << outcome.Describe();
  const Truth truth = Truth::Parse(outcome.out);
  double before = 0, after = 0;
  std::string report;
  for (const std::string& path : outcome.profiles) {
    const Profile profile(path);
    ASSERT_EQ(profile.error(), "") << path;
    EXPECT_TRUE(profile.Complete()) << path;
    EXPECT_EQ(profile.Lost(), 0) << path;
    before += profile.FunctionTotalNs("limits_before");
    after += profile.FunctionTotalNs("limits_after");
    report += profile.report().dump();
  }
  // All of it, and not the part before or behind a change of the source. At 8 kHz, 200 ms are 1,600 samples; ticks of
  // the helper are fewer. On a busy machine late signals weigh several times as much as others: 12 % were seen.
  EXPECT_NEAR(before / truth.functions.at("limits_before"), 1, 0.25);
  EXPECT_NEAR(after / truth.functions.at("limits_after"), 1, 0.25);
  EXPECT_NE(report.find(note), std::string::npos) << report;
}

TEST_P(Limits, AreReachedAsWithoutTheProfiler) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become a user of its own";
  const auto& [program, limited] = GetParam();
  Launch launch = Of(program, limited, "200");
  const Outcome plain = RunProgram(launch);
  if (plain.Exited(77)) GTEST_SKIP() << plain.out;
  ASSERT_TRUE(plain.Exited(0)) << plain.Describe();
  launch.load = Load::kRecord;
  const Outcome recorded = RunProgram(launch);
  EXPECT_TRUE(recorded.Exited(0)) << recorded.Describe();
  EXPECT_EQ(Told(recorded.out), Told(plain.out));
  EXPECT_EQ(ForeignLines(recorded.err), plain.err);
  ExpectWork(recorded, limited.note);
}

constexpr Limited kLimits[] = {
    {"team", "4", kNoHelper},   {"group", "4", kNoHelper},           {"threads", "4", kNoHelper},
    {"rivals", "6", kNoHelper}, {"forks", "3", kNoHelper},           {"forks", "12", ""},
    {"starts", "2", kNoHelper}, {"fork_in_handler", "2", kNoHelper}, {"vfork", "2", kFewPlaces},
    {"timers", "20", kNoTimer}, {"timers", "2", kNoTimer},           {"queue", "20", kNoTimer},
};

INSTANTIATE_TEST_SUITE_P(Kinds, Limits,
                         ::testing::Combine(::testing::Values("limits", "limits_gcc"), ::testing::ValuesIn(kLimits)),
                         [](const auto& info) {
                           const Limited& limited = std::get<1>(info.param);
                           return std::string(limited.kind) + limited.limit + "_" + std::get<0>(info.param);
                         });

// Three intervals of flushes: rings have room for two.
TEST(Limits, LoseNoSamplesInALongRunWithoutAHelper) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become a user of its own";
  Launch launch = Of("limits_gcc", {"team", "2", ""}, "1500");
  launch.load = Load::kRecord;
  const Outcome recorded = RunProgram(launch);
  EXPECT_TRUE(recorded.Exited(0)) << recorded.Describe();
  ExpectWork(recorded, kNoHelper);
}

// What was sampled until then is in the file when the process is killed, but for the last interval.
TEST(Limits, KeepTheProfileOfAKilledProcess) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become a user of its own";
  Launch launch = Of("limits_gcc", {"killed", "1", ""}, "2000");
  launch.load = Load::kRecord;
  const Outcome recorded = RunProgram(launch);
  EXPECT_TRUE(recorded.Killed(9)) << recorded.Describe();
  ASSERT_EQ(recorded.profiles.size(), 1u);
  const Profile profile(recorded.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_GT(profile.FunctionTotalNs("limits_after"), 0);
}

}  // namespace
}  // namespace ompprof::testing

// The signal handler ends, whatever the runtime says. The tests record, at 10 kHz, a runtime with many kinds of lies
// (tests/programs/lying_runtime.cc). They also record LLVM's untied tasks, whose chain in libomp 14 leads back into
// itself. The program ends as it does alone, and all its time is in the profile. No sample takes over 100 us. Cut
// samples are counted by reason.
#include <gtest/gtest.h>
#include <stdio.h>

#include <regex>

#include "tests/integration/expect.h"
#include "tests/integration/harness.h"
#include "tests/integration/profile.h"
#include "tests/statistics/claims.h"

namespace ompprof::testing {
namespace {

constexpr char kEndless[] = "too many tasks lay within each other";
constexpr char kCircle[] = "the runtime's chain of tasks led back into itself";
constexpr char kSlow[] = "the runtime took too long to answer and was not asked";

// Records with libhandler_clock.so behind the collector.
Outcome RunTimed(const std::string& program, const std::vector<std::string>& arguments, int threads = 1) {
  Launch launch{program, arguments};
  launch.load = Load::kPreload;
  launch.frequency = 10000;
  launch.threads = threads;
  launch.environment["LD_PRELOAD"] = CollectorPath() + ":" + ProgramPath("../integration/libhandler_clock.so");
  return RunProgram(launch);
}

// The number of samples that the profile's note gives as cut for that reason.
double Cut(const Profile& profile, const std::string& reason) {
  for (const auto& note : profile.report().value("notes", nlohmann::json::array())) {
    std::smatch found;
    const std::string text = note;
    if (std::regex_search(text, found, std::regex(reason + " \\(([0-9]+)\\)"))) return std::stod(found[1]);
  }
  return 0;
}

// Whether the collector took samples less often, because they took more than a quarter of a thread's time. Then the
// time before has more samples than its share, and a slow answer takes a tenth of a longer period.
bool LoweredRate(const Profile& profile) {
  const std::string notes = profile.report().value("notes", nlohmann::json::array()).dump();
  return notes.find("the rate of a thread was lowered") != std::string::npos;
}

// On a busy virtual machine up to one sample in a hundred takes over 100 us, whatever the handler does. A thread that
// lost its processor pays for the switch, and comes back to cold caches. Two in a hundred are allowed, and twice the
// share of equally long arithmetic. A handler that its fuel does not stop would be too long at each lie: at three
// samples of five. The unit tests have the fuel that each step costs.
void AddShortSamples(const Outcome& outcome, const Profile& profile, Claims* claims) {
  const double samples = profile.Samples();
  long long handled = 0, over = 0, most_us = 0, sum_us = 0, noise = 0;
  const size_t at = outcome.err.find("handler_clock ");
  ASSERT_NE(at, std::string::npos) << outcome.Describe();
  ASSERT_EQ(
      sscanf(outcome.err.c_str() + at, "handler_clock handled %lld over_100us %lld most_us %lld sum_us %lld noise %lld",
             &handled, &over, &most_us, &sum_us, &noise),
      5);
  EXPECT_GE(handled, samples * 0.9) << "the clock stands where the handler is";
  claims->Mostly("samples are short", over <= 5 + handled / (LoweredRate(profile) ? 10 : 50) + 2 * noise);
}

struct Lie {
  const char* name;
  const char* cut = nullptr;  // why most samples during the lie are cut
  bool known = true;          // the profile can have the place of the work nevertheless
};

void AddRecording(const Lie& lie, Claims* claims) {
  const Outcome outcome = RunTimed("lying_runtime", {lie.name, ClaimsAreCoarse() ? "400" : "700"});
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  ASSERT_FALSE(outcome.timed_out);
  ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_TRUE(profile.Complete());
  AddShortSamples(outcome, profile, claims);

  // No time is lost, neither silently nor counted.
  const Truth truth = Truth::Parse(outcome.out);
  ASSERT_GT(truth.process, 0) << outcome.out;
  EXPECT_EQ(profile.Lost(), 0);
  claims->Near("CPU time", profile.CpuNs() / truth.process, 1, 0.04);
  if (std::string(lie.name) != "none") {
    EXPECT_GT(truth.counts.at("asked"), 10) << "the lies were told";
  }

  // Some 60 % of the samples come while the runtime lies.
  if (lie.cut == kSlow && LoweredRate(profile)) {
    // Answers are slow from the first on. Some samples measure that, and end at the fuel of a sample.
    EXPECT_GT((Cut(profile, kSlow) + Cut(profile, kEndless)) / profile.Samples(), 0.1);
  } else {
    for (const char* reason : {kEndless, kCircle, kSlow}) {
      const double cut = Cut(profile, reason);
      if (lie.cut == reason) {
        claims->Near(std::string("cut, ") + reason, cut / profile.Samples(), 0.6, 0.15);
      } else {
        claims->AtMost(std::string("cut, ") + reason, cut / profile.Samples(), 0, 0.02);
      }
    }
  }
  const double work = truth.Work();
  for (const char* function : {"late_work", "region_work"}) {
    if (!lie.known) continue;
    // A virtual machine that stands still for 40 ms of half a second moves 8 points.
    claims->Near(function, 100 * profile.PathNs({"main", "solve", function}) / profile.CpuNs(),
                 100 * truth.paths.at({"main", "solve", function}) / work, 5);
  }
}

class HandlerEnds : public ::testing::TestWithParam<Lie> {};

TEST_P(HandlerEnds, WhateverTheRuntimeSays) {
  Decide([](Claims* claims) { AddRecording(GetParam(), claims); });
}

INSTANTIATE_TEST_SUITE_P(Lies, HandlerEnds,
                         ::testing::Values(Lie{"none"}, Lie{"endless", kEndless},
                                           Lie{"endless_regions", kEndless, false}, Lie{"deep", kEndless},
                                           Lie{"circle", kCircle}, Lie{"itself", kCircle}, Lie{"long_circle", kEndless},
                                           Lie{"changing", nullptr, false}, Lie{"order", nullptr, false},
                                           Lie{"outside", nullptr, false}, Lie{"unaligned", nullptr, false},
                                           Lie{"unknown_state"}, Lie{"unknown_flags", nullptr, false},
                                           Lie{"null", nullptr, false}, Lie{"near_null", nullptr, false},
                                           Lie{"nothing", nullptr, false}, Lie{"ends_twice"}, Lie{"slow", kSlow},
                                           Lie{"slow_endless", kSlow}),
                         [](const ::testing::TestParamInfo<Lie>& info) { return std::string(info.param.name); });

// On one thread libomp 14 executes an untied task's next part at once, within the task itself.
TEST(HandlerEndsOnLibomp, UntiedTasksOnOneThread) {
  Decide([](Claims* claims) {
    const Outcome outcome = RunTimed("untied", {"1000"});
    ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
    ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
    const Profile profile(outcome.profiles[0]);
    ASSERT_EQ(profile.error(), "");
    AddShortSamples(outcome, profile, claims);
    const Truth truth = Truth::Parse(outcome.out);
    EXPECT_EQ(profile.Lost(), 0);
    claims->Near("CPU time", profile.CpuNs() / truth.process, 1, 0.04);
    EXPECT_GT(Cut(profile, kCircle), profile.Samples() / 2) << "libomp has mended it: this test shows nothing any more";
    for (const auto& [path, ns] : truth.paths)
      claims->Near(path.back(), 100 * profile.PathNs(path) / profile.CpuNs(), 100 * ns / truth.process, 3);
  });
}

// A recursion 5,000 deep. The fuel of one sample reaches its root.
TEST(HandlerEndsOnLibomp, DeepStacks) {
  Decide([](Claims* claims) {
    const Outcome outcome = RunTimed("recursion", {"600"}, 2);
    ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
    ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
    const Profile profile(outcome.profiles[0]);
    ASSERT_EQ(profile.error(), "");
    AddShortSamples(outcome, profile, claims);
    claims->AtMost("percent of the work outside of main", 100 * profile.DetachedShare("work_deep"), 0, 0.1);
  });
}

}  // namespace
}  // namespace ompprof::testing

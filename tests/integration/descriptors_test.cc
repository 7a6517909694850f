// The program's descriptors are its own. A program with few descriptors, or one that lists or closes all of them, finds
// the descriptors that it would find without the profiler.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"
#include "tests/statistics/claims.h"

namespace ompprof::testing {
namespace {

// Samples come at the kernel's tick where a program has no descriptor to spare. Debian's kernels have 250 a second.
constexpr int kLeastTicksASecond = 100;

using Case = std::tuple<const char*, int>;
class Descriptors : public ::testing::TestWithParam<Case> {};

TEST_P(Descriptors, AreTheProgramsOwn) {
  const auto& [mode, frequency] = GetParam();
  Launch launch{"descriptors", {mode}};
  launch.frequency = frequency;
  launch.load = Load::kNone;
  const Outcome plain = RunProgram(launch);
  ASSERT_TRUE(plain.Exited(0)) << "without the profiler: " << plain.Describe();
  for (const Load load : {Load::kRecord, Load::kPreload}) {
    launch.load = load;
    Decide([&, frequency = frequency](Claims* claims) {
      const Outcome profiled = RunProgram(launch);
      EXPECT_TRUE(profiled.Exited(0)) << profiled.Describe();
      EXPECT_EQ(profiled.out, plain.out);
      EXPECT_EQ(profiled.err, plain.err);
      ASSERT_EQ(profiled.profiles.size(), 1u);
      const Profile profile(profiled.profiles[0]);
      ASSERT_EQ(profile.error(), "");
      EXPECT_TRUE(profile.Complete());
      // The time after a thread's last sample is lost, with samples of a perf event: less than a period of each thread.
      constexpr double kWorkNs = 945e6;
      const double period_ns = 1e9 / std::min(frequency, kLeastTicksASecond);
      const double seen = profile.FunctionTotalNs("descriptor_work") / kWorkNs;
      claims->AtLeast("the work that is seen", seen, 1, 10 * period_ns / kWorkNs);
      claims->AtMost("the work that is seen", seen, 1, 0.06);
      const std::string notes = profile.report().value("notes", nlohmann::json::array()).dump();
      EXPECT_EQ(notes.find("at the kernel's tick only"), std::string::npos) << notes;
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Descriptors,
                         ::testing::Combine(::testing::Values("few4", "few5", "listed", "closed"),
                                            ::testing::Values(100, 10000)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_" + std::to_string(std::get<1>(info.param));
                         });

}  // namespace
}  // namespace ompprof::testing

// The program's descriptors are its own. A program with few descriptors, or one that lists or closes all of them, finds
// the descriptors that it would find without the profiler.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

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
    const Outcome profiled = RunProgram(launch);
    EXPECT_TRUE(profiled.Exited(0)) << profiled.Describe();
    EXPECT_EQ(profiled.out, plain.out);
    EXPECT_EQ(profiled.err, plain.err);
    ASSERT_EQ(profiled.profiles.size(), 1u);
    const Profile profile(profiled.profiles[0]);
    ASSERT_EQ(profile.error(), "");
    EXPECT_TRUE(profile.Complete());
    // 900 ms in four threads at a time, with any source of samples.
    EXPECT_NEAR(profile.FunctionTotalNs("descriptor_work"), 900e6, 0.06 * 900e6);
    const std::string notes = profile.report().value("notes", nlohmann::json::array()).dump();
    const bool few = std::string(mode).substr(0, 3) == "few";
    EXPECT_EQ(notes.find("at the kernel's tick only") != std::string::npos, few && frequency > 1000) << notes;
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

// A program that changes its rights gets the same result from each call with and without the profiler, and its profile
// goes on. libc changes the ids of all threads, and aborts if the kernel answers them differently. The profiler's
// helper thread has rights of its own: with other rights than the program's it would answer differently.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

class Rights : public ::testing::TestWithParam<std::tuple<const char*, int, const char*>> {};

TEST_P(Rights, AreAnsweredAsWithoutTheProfiler) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give up rights";
  const auto& [program, frequency, mode] = GetParam();
  Launch launch{program, {mode}};
  launch.frequency = frequency;
  launch.load = Load::kNone;
  const Outcome plain = RunProgram(launch);
  if (plain.out.find("marked 0") != std::string::npos) GTEST_SKIP() << "/tmp takes no capabilities: " << plain.out;
  ASSERT_TRUE(plain.Exited(36)) << plain.Describe();
  launch.load = Load::kRecord;
  const Outcome profiled = RunProgram(launch);
  EXPECT_TRUE(profiled.Exited(36)) << profiled.Describe();
  EXPECT_EQ(profiled.out, plain.out);
  EXPECT_EQ(ForeignLines(profiled.err), plain.err);
  EXPECT_LE(WarningLines(profiled.err), 1) << profiled.err;
  ASSERT_GE(profiled.profiles.size(), 1u);
  double before = 0, after = 0;
  for (const std::string& path : profiled.profiles) {
    const Profile profile(path);
    ASSERT_EQ(profile.error(), "") << path;
    EXPECT_TRUE(profile.Complete()) << path;
    before += profile.FunctionTotalNs("rights_before");
    after += profile.FunctionTotalNs("rights_after");
  }
  EXPECT_GT(before, 0);
  EXPECT_GT(after, 0);
}

INSTANTIATE_TEST_SUITE_P(Modes, Rights,
                         ::testing::Combine(::testing::Values("rights", "rights_gcc"), ::testing::Values(0, 10000),
                                            ::testing::Values("keep_capabilities", "drop_and_raise", "past_libc",
                                                              "all_threads", "not_dumpable", "capable_file")),
                         [](const auto& info) {
                           return std::string(std::get<2>(info.param)) + "_" + std::get<0>(info.param) +
                                  (std::get<1>(info.param) == 0 ? "" : "_10kHz");
                         });

}  // namespace
}  // namespace ompprof::testing

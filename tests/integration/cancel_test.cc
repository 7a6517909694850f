// pthread_cancel ends a thread at the program's own cancellation points, never in the profiler's code. So all code
// before these points runs, and cleanup handlers run. A collector that called a cancellation point in a wrapper or in
// its handler would end the thread there.
#include <gtest/gtest.h>

#include "tests/integration/harness.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

struct Row {
  const char* mode;  // of tests/programs/cancelled.cc
  const char* rounds;
  const char* says;
};

constexpr Row kRows[] = {{"at_once", "300", "started 300, cleaned 300\n"},
                         {"c11", "300", "started 300, cleaned 300\n"},
                         {"any_moment", "300", "started 300, cleaned 300\n"},
                         {"fork", "5", "started 0, cleaned 5\n"},
                         {"create", "50", "started 0, cleaned 50\n"},
                         {"return", "100", "started 0, cleaned 100\n"},
                         {"exec", "1", "exec\n"}};

class Cancel : public ::testing::TestWithParam<std::tuple<const char*, int, Row>> {};

TEST_P(Cancel, LeavesTheProgramItsOwnPlaces) {
  const auto& [program, frequency, row] = GetParam();
  Launch launch{program, {row.mode, row.rounds}};
  launch.frequency = frequency;
  launch.load = Load::kNone;
  const Outcome plain = RunProgram(launch);
  ASSERT_TRUE(plain.Exited(36)) << plain.Describe();
  ASSERT_EQ(plain.out, row.says);
  launch.load = Load::kRecord;
  const Outcome profiled = RunProgram(launch);
  EXPECT_TRUE(profiled.Exited(36)) << profiled.Describe();
  EXPECT_EQ(profiled.out, plain.out);
  EXPECT_EQ(profiled.err, plain.err);
  for (const std::string& path : profiled.profiles) {
    const Profile profile(path);
    EXPECT_EQ(profile.error(), "") << path;
    EXPECT_TRUE(profile.Complete()) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, Cancel,
                         ::testing::Combine(::testing::Values("cancelled", "cancelled_gcc"),
                                            ::testing::Values(0, 10000), ::testing::ValuesIn(kRows)),
                         [](const auto& info) {
                           return std::string(std::get<2>(info.param).mode) + "_" + std::get<0>(info.param) +
                                  (std::get<1>(info.param) == 0 ? "" : "_10kHz");
                         });

}  // namespace
}  // namespace ompprof::testing

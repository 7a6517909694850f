// A thread that polls a lock does not wait, on any runtime: an attempt that fails leaves no trace.
#include <gtest/gtest.h>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

// A program and the runtime it is on.
struct Build {
  const char* name;
  const char* program;
  int libomp;  // 0: the system's
};

class PolledLocks : public ::testing::TestWithParam<Build> {};
INSTANTIATE_TEST_SUITE_P(Runtimes, PolledLocks,
                         ::testing::Values(Build{"libomp", "polls", 0}, Build{"libomp15", "polls", 15},
                                           Build{"libomp16", "polls", 16}, Build{"libomp19", "polls", 19},
                                           Build{"libgomp", "polls_gcc", 0}),
                         [](const auto& info) { return std::string(info.param.name); });

// The work after the attempt is work, and the lock's holder keeps nobody waiting.
TEST_P(PolledLocks, AFailedAttemptIsNoWait) {
  const Build& build = GetParam();
  if (build.libomp != 0 && RuntimeFolder(build.libomp).empty()) {
    GTEST_SKIP() << "libomp " << build.libomp << " is not under .deps/: scripts/setup could not download it.";
  }
  Launch launch{build.program, {"1000"}};
  launch.libomp = build.libomp;
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ASSERT_GT(recorded->truth.counts.at("failed"), 300) << "of 400 attempts";
  ExpectShares(*recorded);
  const Profile& profile = recorded->profile;
  const double work = recorded->truth.Work();
  EXPECT_GT(profile.StateNs("ompt_state_work_parallel") / profile.CpuNs(), work / recorded->truth.process - 0.02);
  EXPECT_LT(profile.StateNs("ompt_state_wait_lock") / profile.CpuNs(), 0.005);
  for (const nlohmann::json& lock : profile.report().value("locks", nlohmann::json::array())) {
    double blamed = lock.value("wait_ns", 0.0);
    for (const nlohmann::json& place : lock["blamed"]) blamed += place.value("ns", 0.0);
    EXPECT_LT(blamed, 0.005 * work) << lock.dump(1);
  }
}

}  // namespace
}  // namespace ompprof::testing

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
  ExpectShares(*recorded);
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    const Profile& profile = each.profile;
    claims->Mostly("300 of 400 attempts fail", each.truth.counts.at("failed") > 300);
    const double work = each.truth.Work(), all = profile.CpuNs();
    claims->AtLeast("percent of the CPU time at work", 100 * profile.StateNs("ompt_state_work_parallel") / all,
                    100 * work / each.truth.process, 2);
    claims->AtMost("percent of the CPU time in waits", 100 * profile.StateNs("ompt_state_wait_lock") / all, 0, 0.5);
    double blamed = 0;
    for (const nlohmann::json& lock : profile.report().value("locks", nlohmann::json::array())) {
      blamed += lock.value("wait_ns", 0.0);
      for (const nlohmann::json& place : lock["blamed"]) blamed += place.value("ns", 0.0);
    }
    claims->AtMost("percent of the work that is waited for", 100 * blamed / work, 0, 0.5);
  });
}

}  // namespace
}  // namespace ompprof::testing

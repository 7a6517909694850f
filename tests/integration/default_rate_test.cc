// The figures of a user who changes nothing, on a machine that others use too: the default rate, with busy loops of the
// test's own beside the program. A source of samples that is in step with the scheduler is wrong there by up to 40
// points, and right at 1 kHz on an idle machine.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "tests/integration/busy_loop.h"
#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

struct Case {
  const char* program;
  int loops;
  int threads;
};

class DefaultRate : public ::testing::TestWithParam<Case> {};

TEST_P(DefaultRate, SharesAreRightWithinTheirError) {
  std::vector<std::unique_ptr<BusyLoop>> loops;
  for (int i = 0; i < GetParam().loops; ++i) loops.push_back(std::make_unique<BusyLoop>());
  Launch launch{GetParam().program, {"4000"}};
  launch.frequency = 0;
  launch.threads = GetParam().threads;
  launch.environment["OMP_MAX_ACTIVE_LEVELS"] = "2";
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  const Profile& profile = recorded->profile;
  const double samples = profile.report().at("effective_samples");
  // 199 a second of at least 4 s of CPU time, less what chance may do. A thread that spins adds some.
  EXPECT_GT(profile.Samples(), 199 * 4 - kDeviations * std::sqrt(199 * 4));
  const auto expect = [&](double seen, double truth, const std::string& name) {
    EXPECT_NEAR(seen, truth, kDeviations * std::sqrt(truth * (1 - truth) / samples)) << name << ", " << samples;
  };
  for (const auto& [name, ns] : recorded->truth.functions)
    expect(profile.FunctionTotalNs(name) / profile.CpuNs(), ns / recorded->truth.process, name);
  for (const auto& [path, ns] : recorded->truth.paths)
    expect(profile.PathNs(path) / profile.StackTotal(), ns / recorded->truth.process, path[1]);
  // No time is lost, however short the threads live. The program's clock begins with its own code.
  EXPECT_NEAR(profile.CpuNs() / recorded->truth.process, 1, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Beside, DefaultRate,
                         ::testing::Values(Case{"short_sites", 4, 2}, Case{"short_sites_gcc", 4, 2},
                                           Case{"short_sites_gcc", 2, 2}, Case{"short_teams", 2, 2},
                                           Case{"short_teams_gcc", 0, 2}, Case{"passive_pipeline_gcc", 2, 3},
                                           Case{"tasks", 0, 16}),
                         [](const auto& info) {
                           return std::string(info.param.program) + "_" + std::to_string(info.param.loops) + "_loops_" +
                                  std::to_string(info.param.threads) + "_threads";
                         });

}  // namespace
}  // namespace ompprof::testing

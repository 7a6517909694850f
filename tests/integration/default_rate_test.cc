// The figures of a user who changes nothing, on a machine that others use too: the default rate, with busy loops of the
// test's own beside the program. A source of samples that is in step with the scheduler is wrong there by up to 40
// points, and right at 1 kHz on an idle machine.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
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

// A run at the default rate beside `loops` busy loops. 4 s of CPU time are some 800 samples.
std::optional<Recorded> RecordBeside(int loops, Launch launch) {
  std::vector<std::unique_ptr<BusyLoop>> beside;
  for (int i = 0; i < loops; ++i) beside.push_back(std::make_unique<BusyLoop>());
  launch.frequency = 0;
  launch.environment["OMP_MAX_ACTIVE_LEVELS"] = "2";
  return Record(launch);
}

// `seen` and `truth` are shares.
void ExpectWithinError(const Profile& profile, double seen, double truth, const std::string& name) {
  const double samples = profile.report().at("effective_samples");
  EXPECT_NEAR(seen, truth, kDeviations * std::sqrt(truth * (1 - truth) / samples)) << name << ", " << samples;
}

void ExpectFunctionsWithinError(const Recorded& recorded) {
  const Profile& profile = recorded.profile;
  double seen = 0, truth = 0;
  for (const auto& [name, ns] : recorded.truth.functions) {
    ExpectWithinError(profile, profile.FunctionTotalNs(name) / profile.CpuNs(), ns / recorded.truth.process, name);
    seen += profile.FunctionTotalNs(name) / profile.CpuNs();
    truth += ns / recorded.truth.process;
  }
  // Work is nearly all, so that its error is small: waiting may not take its place.
  if (truth > 0) ExpectWithinError(profile, seen, truth, "all functions");
}

void ExpectPathsWithinError(const Recorded& recorded) {
  const Profile& profile = recorded.profile;
  double seen = 0, truth = 0;
  for (const auto& [path, ns] : recorded.truth.paths) {
    ExpectWithinError(profile, profile.PathNs(path) / profile.StackTotal(), ns / recorded.truth.process, path[1]);
    seen += profile.PathNs(path) / profile.StackTotal();
    truth += ns / recorded.truth.process;
  }
  if (truth > 0) ExpectWithinError(profile, seen, truth, "all paths");
}

class DefaultRate : public ::testing::TestWithParam<Case> {};

TEST_P(DefaultRate, SharesAreRightWithinTheirError) {
  Launch launch{GetParam().program, {"4000"}};
  launch.threads = GetParam().threads;
  const auto recorded = RecordBeside(GetParam().loops, launch);
  ASSERT_TRUE(recorded);
  const Profile& profile = recorded->profile;
  // 199 a second of at least 4 s of CPU time, less what chance may do. A thread that spins adds some.
  EXPECT_GT(profile.Samples(), 199 * 4 - kDeviations * std::sqrt(199 * 4));
  ExpectFunctionsWithinError(*recorded);
  ExpectPathsWithinError(*recorded);
  // No time is lost, however short the threads live. The program's clock begins with its own code.
  EXPECT_NEAR(profile.CpuNs() / recorded->truth.process, 1, 0.01);
  // Each thread's samples stand for its own CPU time. Threads with few samples share theirs.
  for (const nlohmann::json& thread : profile.report().at("threads")) {
    if (thread.at("samples") < 64) continue;
    EXPECT_NEAR(thread.at("sampled_cpu_ns").get<double>() / thread.at("cpu_ns").get<double>(), 1, 0.01)
        << thread.dump(1);
  }
}

INSTANTIATE_TEST_SUITE_P(Beside, DefaultRate,
                         ::testing::Values(Case{"short_sites", 4, 2}, Case{"short_sites_gcc", 4, 2},
                                           Case{"short_sites_gcc", 2, 2}, Case{"short_teams", 2, 2},
                                           Case{"short_teams_gcc", 0, 2}, Case{"passive_pipeline_gcc", 2, 3},
                                           Case{"tasks", 0, 16}, Case{"nested_gcc", 2, 2},
                                           Case{"memory_beside_compute", 2, 2}, Case{"constructs", 2, 2},
                                           Case{"called_back", 2, 2}, Case{"std_threads", 2, 2},
                                           Case{"recursion", 2, 2}),
                         [](const auto& info) {
                           return std::string(info.param.program) + "_" + std::to_string(info.param.loops) + "_loops_" +
                                  std::to_string(info.param.threads) + "_threads";
                         });

class DefaultRateStates : public ::testing::TestWithParam<const char*> {};

// Threads that spin for a lock, with processors that others use too.
TEST_P(DefaultRateStates, OfWaitingThreads) {
  Launch launch{GetParam(), {"lock", "2000"}};
  launch.environment["OMP_WAIT_POLICY"] = "active";
  launch.environment["KMP_BLOCKTIME"] = "infinite";
  launch.environment["GOMP_SPINCOUNT"] = "infinite";
  const auto recorded = RecordBeside(2, launch);
  ASSERT_TRUE(recorded);
  const Profile& profile = recorded->profile;
  const double waiting = recorded->truth.states.at("lock") / recorded->truth.process;
  ExpectWithinError(profile, profile.StateNs("ompt_state_wait_lock") / profile.CpuNs(), waiting, "wait_lock");
  ExpectFunctionsWithinError(*recorded);
}

INSTANTIATE_TEST_SUITE_P(Runtimes, DefaultRateStates, ::testing::Values("waits", "waits_gcc"),
                         [](const auto& info) { return std::string(info.param); });

TEST(DefaultRateLines, OfCallsWithinTheirError) {
  const auto recorded = RecordBeside(2, {"call_sites", {"4000"}});
  ASSERT_TRUE(recorded);
  ASSERT_FALSE(recorded->truth.lines.empty());
  const Profile& profile = recorded->profile;
  for (const auto& [site, ns] : recorded->truth.lines) {
    const auto& [function, line] = site;
    ExpectWithinError(profile, profile.CallLines(function)[line] / profile.CpuNs(), ns / recorded->truth.process,
                      function + ":" + std::to_string(line));
  }
}

}  // namespace
}  // namespace ompprof::testing

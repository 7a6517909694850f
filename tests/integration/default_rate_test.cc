// The figures of a user who changes nothing, on a machine that others use too: the default rate, with busy loops of the
// test's own beside the program. A source of samples that is in step with the scheduler is wrong there by up to 40
// points, and right at 1 kHz on an idle machine.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
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
  const char* library = nullptr;  // an argument before the CPU time
};

std::vector<std::unique_ptr<BusyLoop>> BusyLoops(int count) {
  std::vector<std::unique_ptr<BusyLoop>> loops;
  for (int i = 0; i < count; ++i) loops.push_back(std::make_unique<BusyLoop>());
  return loops;
}

// CPU time of a program: some 500 samples.
constexpr int kMs = 2500;

// A run at the default rate beside `loops` busy loops.
std::optional<Recorded> RecordBeside(int loops, Launch launch) {
  const auto beside = BusyLoops(loops);
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
  Launch launch{GetParam().program, {std::to_string(kMs)}};
  if (GetParam().library != nullptr) launch.arguments.insert(launch.arguments.begin(), ProgramPath(GetParam().library));
  launch.threads = GetParam().threads;
  const auto recorded = RecordBeside(GetParam().loops, launch);
  ASSERT_TRUE(recorded);
  const Profile& profile = recorded->profile;
  // 199 a second of at least the program's CPU time, less what chance may do. A thread that spins adds some. Samples of
  // a thread that sleeps long may stand for more.
  const double least = GetParam().program == std::string("sleepers") ? 199 : 199 * kMs / 1000.;
  EXPECT_GT(profile.Samples(), least - kDeviations * std::sqrt(least));
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

INSTANTIATE_TEST_SUITE_P(
    Beside, DefaultRate,
    ::testing::Values(Case{"short_sites", 4, 2}, Case{"short_sites_gcc", 4, 2}, Case{"short_sites_gcc", 2, 2},
                      Case{"short_teams", 2, 2}, Case{"short_teams_gcc", 0, 2}, Case{"passive_pipeline_gcc", 2, 3},
                      Case{"passive_pipeline", 2, 16}, Case{"sleepers", 2, 2}, Case{"tasks", 0, 16},
                      Case{"nested_gcc", 2, 2}, Case{"memory_beside_compute", 2, 2}, Case{"constructs", 2, 2},
                      Case{"called_back", 2, 2}, Case{"std_threads", 2, 2}, Case{"recursion", 2, 2},
                      Case{"own_runtime", 2, 2}, Case{"dlopen_omp", 2, 2, "libdlopen_omp.so"},
                      Case{"qsort_worker", 2, 2}, Case{"exceptions", 2, 2}, Case{"serial_then_parallel", 2, 2}),
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

TEST(DefaultRateViews, LinesOfCalls) {
  const auto recorded = RecordBeside(2, {"call_sites", {std::to_string(kMs)}});
  ASSERT_TRUE(recorded);
  ASSERT_FALSE(recorded->truth.lines.empty());
  const Profile& profile = recorded->profile;
  for (const auto& [site, ns] : recorded->truth.lines) {
    const auto& [function, line] = site;
    ExpectWithinError(profile, profile.CallLines(function)[line] / profile.CpuNs(), ns / recorded->truth.process,
                      function + ":" + std::to_string(line));
  }
}

// The table of `annotate` has the same lines.
TEST(DefaultRateViews, AnnotatedLines) {
  const auto recorded = RecordBeside(2, {"call_sites", {std::to_string(kMs)}});
  ASSERT_TRUE(recorded);
  ASSERT_FALSE(recorded->truth.lines.empty());
  for (const auto& [site, ns] : recorded->truth.lines) {
    const auto& [function, line] = site;
    const Outcome outcome = RunCommand({OmpprofPath(), "annotate", function, recorded->outcome.profiles[0]});
    ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
    // TOTAL in percent, SELF, and other columns; then the line's number.
    const std::regex row("(?:^|\\n) *([0-9.]+) %[^\\n]* " + std::to_string(line) + " [^\\n]*");
    std::smatch match;
    ASSERT_TRUE(std::regex_search(outcome.out, match, row)) << line << outcome.out;
    ExpectWithinError(recorded->profile, std::stod(match[1]) / 100, ns / recorded->truth.process, match[0]);
  }
}

// Of 64 iterations that cost 64, 63, ... 1, the first thread has 32 with 1552 of the 2080 units; balanced, each has
// 1040. They sleep for most of their time, so that the loops beside hardly change it.
TEST(DefaultRateViews, PredictionOfABalancedLoop) {
  const auto recorded = RecordBeside(2, {"flaws", {"imbalance", "flawed", "1500"}});
  ASSERT_TRUE(recorded);
  const Outcome outcome =
      RunCommand({OmpprofPath(), "whatif", "--format=json", "--balance", "Imbalance", recorded->outcome.profiles[0]});
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  const nlohmann::json prediction = nlohmann::json::parse(outcome.out);
  EXPECT_NEAR(prediction.value("after_ns", 0.0) / prediction.value("before_ns", 1.0), 1040. / 1552, 0.1) << outcome.out;
}

// Equal work is noise, and three times the work is none.
TEST(DefaultRateViews, DifferencesOfRuns) {
  std::vector<std::string> files;
  for (const char* changed : {"400", "400", "1200"}) {
    const auto beside = BusyLoops(2);
    Launch launch{"two_functions", {"400", changed}};
    launch.frequency = 0;
    const Outcome outcome = RunProgram(launch);
    ASSERT_TRUE(outcome.Exited(0) && outcome.profiles.size() == 1) << outcome.Describe();
    files.push_back(outcome.profiles[0]);
  }
  const auto verdicts = [&](const std::string& before, const std::string& after) {
    const Outcome outcome = RunCommand({OmpprofPath(), "diff", "--format=json", before, after});
    EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
    const nlohmann::json diff = nlohmann::json::parse(outcome.out);
    std::map<std::string, std::string> verdicts;
    for (const nlohmann::json& function : diff.at("functions"))
      verdicts[function.at("name")] = function.at("self").at("verdict");
    return verdicts;
  };
  auto same = verdicts(files[0], files[1]);
  EXPECT_EQ(same["changed_work"], "noise");
  EXPECT_EQ(same["steady_work"], "noise");
  auto slower = verdicts(files[0], files[2]);
  EXPECT_EQ(slower["changed_work"], "more");
  EXPECT_EQ(slower["steady_work"], "noise");
}

}  // namespace
}  // namespace ompprof::testing

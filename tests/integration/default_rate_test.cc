// The figures of a user who changes nothing, on a machine that others use too: the default rate, with busy loops of the
// test's own beside the program. A source of samples that is in step with the scheduler is wrong there by up to 40
// points, and right at 1 kHz on an idle machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
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
  // Of those that the rate gives. Where many threads sleep, the first tick of work behind a sleep has few.
  double samples = 1;
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

// Points by which a share may be off. The samples of one recording have 2 points of standard deviation at a half. A
// source in step with the scheduler was off by 40.
constexpr double kMost = 5;

// Decides the claims that `add` makes of each run beside `loops` busy loops.
void DecideBeside(int loops, const Launch& launch, const std::function<void(const Recorded&, Claims*)>& add) {
  Decide([&](Claims* claims) {
    if (const auto recorded = RecordBeside(loops, launch)) add(*recorded, claims);
  });
}

void AddFunctionsAndPaths(const Recorded& recorded, Claims* claims) {
  const Profile& profile = recorded.profile;
  AddShares(recorded, {kMost, 0.5}, claims);
  // Work is nearly all, so that its error is small: waiting may not take its place.
  double seen = 0, truth = 0;
  for (const auto& [name, ns] : recorded.truth.functions) {
    seen += profile.FunctionTotalNs(name) / profile.CpuNs();
    truth += ns / recorded.truth.process;
  }
  if (truth > 0) AddShare(recorded, "in all functions", seen, truth, kMost, claims);
  seen = truth = 0;
  for (const auto& [path, ns] : recorded.truth.paths) {
    seen += profile.PathNs(path) / profile.StackTotal();
    truth += ns / recorded.truth.process;
  }
  if (truth > 0) AddShare(recorded, "under all paths", seen, truth, kMost, claims);
}

class DefaultRate : public ::testing::TestWithParam<Case> {};

TEST_P(DefaultRate, SharesAreRightWithinTheirError) {
  Launch launch{GetParam().program, {std::to_string(kMs)}};
  if (GetParam().library != nullptr) launch.arguments.insert(launch.arguments.begin(), ProgramPath(GetParam().library));
  launch.threads = GetParam().threads;
  // 199 a second of at least the program's CPU time. A thread that spins adds some.
  const double least = GetParam().samples * 199 * kMs / 1000.;
  DecideBeside(GetParam().loops, launch, [&](const Recorded& recorded, Claims* claims) {
    const Profile& profile = recorded.profile;
    claims->AtLeast("samples", profile.Samples(), least, 0.1 * least, std::sqrt(least));
    AddFunctionsAndPaths(recorded, claims);
    // Each thread's samples stand for its own CPU time. Threads with few samples share theirs.
    for (const nlohmann::json& thread : profile.report().at("threads")) {
      if (thread.at("samples") < 64) continue;
      EXPECT_NEAR(thread.at("sampled_cpu_ns").get<double>() / thread.at("cpu_ns").get<double>(), 1, 0.01)
          << thread.dump(1);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(
    Beside, DefaultRate,
    ::testing::Values(Case{"short_sites", 4, 2}, Case{"short_sites_gcc", 4, 2}, Case{"short_sites_gcc", 2, 2},
                      Case{"short_teams", 2, 2}, Case{"short_teams_gcc", 0, 2}, Case{"passive_pipeline_gcc", 2, 3},
                      Case{"passive_pipeline", 2, 16, nullptr, 0.8}, Case{"sleepers", 2, 2, nullptr, 0.8},
                      Case{"tasks", 0, 16}, Case{"nested_gcc", 2, 2}, Case{"memory_beside_compute", 2, 2},
                      Case{"constructs", 2, 2}, Case{"called_back", 2, 2}, Case{"std_threads", 2, 2},
                      Case{"recursion", 2, 2}, Case{"own_runtime", 2, 2}, Case{"short_sites", 0, 16},
                      Case{"dlopen_omp", 2, 2, "libdlopen_omp.so"}, Case{"qsort_worker", 2, 2},
                      Case{"exceptions", 2, 2}, Case{"serial_then_parallel", 2, 2}),
    [](const auto& info) {
      return std::string(info.param.program) + "_" + std::to_string(info.param.loops) + "_loops_" +
             std::to_string(info.param.threads) + "_threads";
    });

// A signal that comes in a call of some milliseconds is handled at its end. The thread may have lost its processor
// before, in the call, or after it.
TEST(DefaultRateViews, LongSystemCalls) {
  DecideBeside(2, {"long_calls", {std::to_string(kMs)}}, [](const Recorded& recorded, Claims* claims) {
    // Some 1 % of what the process's clock tells is in no sample. The clock has the collector's own thread too.
    AddShares(recorded, {kMost, 2}, claims);
  });
}

// A signal wakes a sleeping thread, so a long sleep has few. The work behind it has as many samples as other work.
TEST(DefaultRateViews, WorkAfterALongSleep) {
  constexpr int kWorkMs = 400;
  DecideBeside(0, {"after_sleep", {std::to_string(kWorkMs)}}, [](const Recorded& recorded, Claims* claims) {
    constexpr double kLeast = 199 * kWorkMs / 1000.;
    claims->AtLeast("samples", recorded.profile.Samples(), kLeast, 0.1 * kLeast, std::sqrt(kLeast));
    AddShares(recorded, {kMost, 2}, claims);
  });
}

class DefaultRateStates : public ::testing::TestWithParam<const char*> {};

// Threads that spin for a lock, with processors that others use too.
TEST_P(DefaultRateStates, OfWaitingThreads) {
  Launch launch{GetParam(), {"lock", "2000"}};
  launch.environment["OMP_WAIT_POLICY"] = "active";
  launch.environment["KMP_BLOCKTIME"] = "infinite";
  launch.environment["GOMP_SPINCOUNT"] = "infinite";
  DecideBeside(2, launch, [](const Recorded& recorded, Claims* claims) {
    const Profile& profile = recorded.profile;
    AddShare(recorded, "in wait_lock", profile.StateNs("ompt_state_wait_lock") / profile.CpuNs(),
             recorded.truth.states.at("lock") / recorded.truth.process, kMost, claims);
    AddFunctionsAndPaths(recorded, claims);
  });
}

INSTANTIATE_TEST_SUITE_P(Runtimes, DefaultRateStates, ::testing::Values("waits", "waits_gcc"),
                         [](const auto& info) { return std::string(info.param); });

TEST(DefaultRateViews, LinesOfCalls) {
  const auto recorded = RecordBeside(2, {"call_sites", {std::to_string(kMs)}});
  ASSERT_TRUE(recorded);
  ASSERT_FALSE(recorded->truth.lines.empty());
  ExpectLines(*recorded, {kMost});
}

// The table of `annotate` has the same lines.
TEST(DefaultRateViews, AnnotatedLines) {
  DecideBeside(2, {"call_sites", {std::to_string(kMs)}}, [](const Recorded& recorded, Claims* claims) {
    ASSERT_FALSE(recorded.truth.lines.empty());
    for (const auto& [site, ns] : recorded.truth.lines) {
      const auto& [function, line] = site;
      const Outcome outcome = RunCommand({OmpprofPath(), "annotate", function, recorded.outcome.profiles[0]});
      ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
      // TOTAL in percent, SELF, and other columns; then the line's number, and its text if the source can be read.
      const std::regex row("(?:^|\\n) *([0-9.]+) %[^\\n]* " + std::to_string(line) + "(?: [^\\n]*)?(?:\\n|$)");
      std::smatch match;
      ASSERT_TRUE(std::regex_search(outcome.out, match, row)) << line << outcome.out;
      AddShare(recorded, "in " + function + ":" + std::to_string(line), std::stod(match[1]) / 100,
               ns / recorded.truth.process, kMost, claims);
    }
  });
}

// Of 64 iterations that cost 64, 63, ... 1, the first thread has 32 with 1552 of the 2080 units; balanced, each has
// 1040. They sleep, and the loops beside make each sleep longer by as much as the program measures.
TEST(DefaultRateViews, PredictionOfABalancedLoop) {
  DecideBeside(2, {"flaws", {"imbalance", "flawed", "1500"}}, [](const Recorded& recorded, Claims* claims) {
    const Outcome outcome =
        RunCommand({OmpprofPath(), "whatif", "--format=json", "--balance", "Imbalance", recorded.outcome.profiles[0]});
    ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
    const nlohmann::json prediction = nlohmann::json::parse(outcome.out);
    claims->Near("time, balanced", prediction.at("after_ns").get<double>() / prediction.at("before_ns").get<double>(),
                 recorded.truth.elapsed.at("mean") / recorded.truth.elapsed.at("busiest"), 0.05);
  });
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

// Threads without enough processors: two, four and eight times as many threads as processors, and another program
// beside. Each thread's wall time is divided as the truth says. A planted flaw is found. A program without a flaw gets
// no advice but on the processors. Known answers in shares of CPU time stay right.
#include <gtest/gtest.h>
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "tests/integration/busy_loop.h"
#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

int Processors() { return static_cast<int>(std::thread::hardware_concurrency()); }

// A build of tests/programs/flaws.cc, and how much longer its cheap constructs must run to be measured.
struct Build {
  const char* name;
  const char* program;
  int cheap;
};
const Build kBuilds[] = {{"libomp", "flaws", 1}, {"libgomp", "flaws_gcc", 20}};

// How the run lacks processors.
struct Lack {
  const char* name;
  int factor;  // threads for each processor
  bool beside;
};
const Lack kLacks[] = {{"twice", 2, false}, {"four_times", 4, false}, {"eight_times", 8, false}, {"beside", 1, true}};

Launch Flaws(const Build& build, const Lack& lack, const std::string& mode, const char* which, int scale) {
  Launch launch{build.program, {mode, which, std::to_string(scale)}};
  launch.environment["OMP_NUM_THREADS"] = std::to_string(lack.factor * Processors());
  return launch;
}

const nlohmann::json* Find(const nlohmann::json& advice, const std::string& kind) {
  const auto found = std::find_if(advice.begin(), advice.end(),
                                  [&](const nlohmann::json& one) { return one.value("kind", "") == kind; });
  return found == advice.end() ? nullptr : &*found;
}

std::string Name(std::string mode, const Lack& lack, const Build& build) {
  std::replace(mode.begin(), mode.end(), '-', '_');
  return mode + "_" + lack.name + "_" + build.name;
}

struct Flaw {
  const char* mode;
  int scale;
  bool cheap;  // the scale counts constructs: their cost differs between runtimes
  const char* advice;
  const char* where;  // a part of the place that the advice names
};

class Advised : public ::testing::TestWithParam<std::tuple<Build, Lack, Flaw>> {};
INSTANTIATE_TEST_SUITE_P(
    Flaws, Advised,
    ::testing::Combine(::testing::ValuesIn(kBuilds), ::testing::ValuesIn(kLacks),
                       ::testing::Values(Flaw{"uneven", 700, false, "static-schedule", "Uneven [omp parallel"},
                                         Flaw{"held-lock", 500, false, "long-held-lock", "critical table at flaws.cc:"},
                                         Flaw{"critical", 40, true, "short-critical", "critical sum at flaws.cc:"},
                                         Flaw{"serial", 600, false, "serial-part", "most of it in compute"},
                                         Flaw{"chunks", 200, true, "chunk-too-small", "Chunks [omp parallel"},
                                         Flaw{"tasks", 1000, false, "tasks-too-fine", "Tasks [omp parallel"})),
    [](const auto& info) {
      return Name(std::get<2>(info.param).mode, std::get<1>(info.param), std::get<0>(info.param));
    });

TEST_P(Advised, GetsTheAdviceThatFits) {
  const auto& [build, lack, flaw] = GetParam();
  if (flaw.mode == std::string("tasks") && build.name == std::string("libomp"))
    GTEST_SKIP() << "libomp's threads look for tasks in state wait_taskwait: with many threads, little is overhead";
  std::optional<BusyLoop> neighbour;
  if (lack.beside) neighbour.emplace();
  // Beside another program there are two threads, whose constructs take a fraction of the time.
  const int longer = flaw.cheap && lack.beside ? 4 : 1;
  Launch launch = Flaws(build, lack, flaw.mode, "flawed", longer * flaw.scale * (flaw.cheap ? build.cheap : 1));
  Decide([&, flaw = flaw](Claims* claims) {
    const auto recorded = Record(launch);
    ASSERT_TRUE(recorded);
    const nlohmann::json advice = recorded->profile.report().value("advice", nlohmann::json::array());
    const nlohmann::json* found = Find(advice, flaw.advice);
    // A holder that loses its processor makes the waits for its lock longer, and the mean wait tells the kind of
    // advice.
    if (found == nullptr && flaw.advice == std::string("short-critical")) found = Find(advice, "contended-lock");
    ASSERT_NE(found, nullptr) << advice.dump(1);
    // The serial part has some ten samples. One of its sleep may weigh more than all of its work.
    claims->Mostly("the advice names the place", found->value("where", "").find(flaw.where) != std::string::npos);
  });
}

// Advice on processors, not on the program.
const std::set<std::string> kOnProcessors = {"too-many-threads", "affinity-mask", "cpu-quota", "busy-machine"};

class Unflawed : public ::testing::TestWithParam<std::tuple<Build, Lack, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Programs, Unflawed,
                         ::testing::Combine(::testing::ValuesIn(kBuilds), ::testing::ValuesIn(kLacks),
                                            ::testing::Values("control", "uneven", "held-lock")),
                         [](const auto& info) {
                           return Name(std::get<2>(info.param), std::get<1>(info.param), std::get<0>(info.param));
                         });

TEST_P(Unflawed, GetsNoAdviceButOnProcessors) {
  const auto& [build, lack, mode] = GetParam();
  std::optional<BusyLoop> neighbour;
  if (lack.beside) neighbour.emplace();
  // The scale is shared by the threads. Each computes long enough for the program's start to be a small part of the
  // run: that part is serial, and 20 ms of a run of 150 ms are worth an advice.
  const auto recorded = Record(Flaws(build, lack, mode, "mended", 1000 * std::max(1, lack.factor / 2)));
  ASSERT_TRUE(recorded);
  const nlohmann::json advice = recorded->profile.report().value("advice", nlohmann::json::array());
  for (const nlohmann::json& one : advice) EXPECT_EQ(kOnProcessors.count(one.value("kind", "")), 1u) << advice.dump(1);
  if (std::string(mode) != "control") return;  // programs that sleep leave processors free
  const nlohmann::json* cause = Find(advice, lack.beside ? "busy-machine" : "too-many-threads");
  ASSERT_NE(cause, nullptr) << advice.dump(1);
  EXPECT_EQ(cause->value("gain_ns", 1.0), 0);
}

class Account : public ::testing::TestWithParam<std::tuple<Build, Lack>> {};
INSTANTIATE_TEST_SUITE_P(Programs, Account,
                         ::testing::Combine(::testing::ValuesIn(kBuilds), ::testing::ValuesIn(kLacks)),
                         [](const auto& info) {
                           return Name("account", std::get<1>(info.param), std::get<0>(info.param));
                         });

struct Sums {
  double lifetime = 0;
  double on_cpu = 0;
  double wait = 0;
  double ready = 0;
  double blocked = 0;
};

// The sums over the threads. Each thread's four parts add up to its lifetime.
Sums AddThreads(const nlohmann::json& report, Claims* claims) {
  Sums sums;
  double off = 0, beyond = 0;
  for (const nlohmann::json& thread : report.at("threads")) {
    if (thread.value("id", 0) == 0) continue;
    const double lifetime = thread.at("lifetime_ns");
    const double on_cpu = thread.at("on_cpu_ns"), wait = thread.at("wait_ns"), ready = thread.at("ready_ns"),
                 blocked = thread.at("blocked_ns");
    off = std::max(off, std::abs((on_cpu + wait + ready + blocked) / lifetime - 1));
    beyond = std::max(beyond, on_cpu - thread.at("cpu_ns").get<double>());
    sums.lifetime += lifetime;
    sums.on_cpu += on_cpu;
    sums.wait += wait;
    sums.ready += ready;
    sums.blocked += blocked;
  }
  claims->AtMost("percent of its lifetime that a thread's account is off", 100 * off, 0, 3);
  claims->AtMost("ms on a processor beyond a thread's CPU time", beyond * 1e-6, 0, 10);
  return sums;
}

// The program computes without a pause. So its threads are never blocked. They lack processors, and busy threads are
// no more than the processors.
TEST_P(Account, OfAProgramThatComputes) {
  const auto& [build, lack] = GetParam();
  std::optional<BusyLoop> neighbour;
  if (lack.beside) neighbour.emplace();
  Decide([&, build = build, lack = lack](Claims* claims) {
    const auto start = std::chrono::steady_clock::now();
    const double neighbour_before = neighbour ? neighbour->CpuNs() : 0;
    const auto recorded = Record(Flaws(build, lack, "control", "flawed", 2000));
    const double neighbour_ns = neighbour ? neighbour->CpuNs() - neighbour_before : 0;
    const double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
    ASSERT_TRUE(recorded);
    const nlohmann::json& report = recorded->profile.report();
    const Sums sums = AddThreads(report, claims);
    claims->AtMost("percent of the lifetime that is blocked", 100 * sums.blocked / sums.lifetime, 0, 3);
    claims->Mostly("threads lack processors", sums.ready > 0.1 * (sums.on_cpu + sums.ready));
    const double busy = report.at("efficiency").at("busy_threads");
    claims->AtMost("busy threads of each processor", busy / Processors(), 1, 0.02);
    // Others are the neighbour at least, and at most what the program leaves.
    const double others = report.at("machine").at("cpus_of_others");
    claims->AtLeast("processors of others", others, neighbour_ns / ns, 0.2);
    claims->AtMost("processors of others", others, Processors() - recorded->truth.process / ns, 0.2);
  });
}

// The threads of a loop of 48 iterations sleep for 19 twentieths of their work and compute for one are blocked, and
// hardly ever ready.
TEST_P(Account, OfAProgramThatSleeps) {
  const auto& [build, lack] = GetParam();
  if (lack.factor * Processors() > 8 * 2) GTEST_SKIP() << "the loop has work for 16 threads";
  std::optional<BusyLoop> neighbour;
  if (lack.beside) neighbour.emplace();
  const auto recorded = Record(Flaws(build, lack, "held-lock", "mended", 1000));
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    const Sums sums = AddThreads(each.profile.report(), claims);
    claims->Mostly("most of the time is blocked", sums.blocked > 0.75 * (sums.on_cpu + sums.ready + sums.blocked));
  });
}

// Known answers of programs that compute, spin at barriers and run tasks, in shares of CPU time.
class KnownAnswers : public ::testing::TestWithParam<std::tuple<KnownAnswer, Lack>> {};
INSTANTIATE_TEST_SUITE_P(Programs, KnownAnswers,
                         ::testing::Combine(::testing::Values(KnownAnswer{"flat", {"work_a", "work_b", "work_c"}},
                                                              KnownAnswer{"tasks", {"task_work"}},
                                                              KnownAnswer{"flat_gcc", {"work_a", "work_b", "work_c"}},
                                                              KnownAnswer{"tasks_gcc", {"task_work"}}),
                                            ::testing::ValuesIn(kLacks)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).program) + "_" + std::get<1>(info.param).name;
                         });

TEST_P(KnownAnswers, StayRight) {
  const auto& [known, lack] = GetParam();
  std::optional<BusyLoop> neighbour;
  if (lack.beside) neighbour.emplace();
  Launch launch;
  launch.threads = lack.factor * Processors();
  EXPECT_TRUE(ExpectKnownAnswer(known, "", launch));
}

}  // namespace
}  // namespace ompprof::testing

// The code that makes others wait receives the blame that the program itself measures (tests/programs/blame.cc). No
// waiting is lost: each wait is blamed, or counted as unattributed. The tests run on several versions of libomp and,
// through the shim, on libgomp, with spinning and with sleeping threads. The collector's exact sums are read from the
// file, blamed code from the report.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "profiler/model/profile_reader.h"
#include "proto/ompt_state.h"
#include "tests/integration/busy_loop.h"
#include "tests/integration/harness.h"
#include "tests/integration/profile.h"
#include "tests/statistics/claims.h"

namespace ompprof::testing {
namespace {

struct Mode {
  const char* name;
  std::vector<const char*> to_blame;  // functions that others must be seen to wait for
  // Work takes no CPU time. Blame for waits in the team then appears at the region, and only blame for locks at the
  // function.
  bool locked_asleep = false;
  OmptState lock_state = OmptState::kNone;  // of all waits for locks; kNone: there are none, or of several kinds
  // After its last region the program sleeps, prints its truth and ends. The blame belongs to the code after that
  // region: `exit`, or the place of a sample on the thread's way there from its sleep.
  const char* asleep_after = nullptr;
};

void PrintTo(const Mode& mode, std::ostream* out) { *out << mode.name; }

// `truth KIND NAME ns N` lines by kind and name.
using KnownTruth = std::map<std::string, std::map<std::string, double>>;

KnownTruth ParseTruth(const std::string& out) {
  KnownTruth truth;
  std::istringstream lines(out);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string start, kind, name, unit;
    double value = 0;
    if (words >> start >> kind >> name >> unit >> value && start == "truth" && unit == "ns") truth[kind][name] = value;
  }
  return truth;
}

// Of one region, or of the process, in nanoseconds of thread-time.
struct Balance {
  double sync = 0;      // waited in teams
  double outer = 0;     // waited outside, passed in
  double inner = 0;     // passed on to regions inside
  double blamed = 0;    // in the profile
  double unblamed = 0;  // nobody to blame
  double instances = 0;
};

struct Sums {
  double sync = 0, idle = 0, lock = 0;
  double blame = 0, lock_blame = 0, handoff = 0, unblamed = 0, pending = 0;
  std::map<uint64_t, Balance> regions;                    // by codeptr_ra
  std::map<OmptState, double> locks;                      // waits for them, by state
  double exact_sync = 0, exact_idle = 0, exact_lock = 0;  // by thread and context, from the wait boundaries
  double regions_ended = 0, last_at_end = 0;  // how many; how many threads were the last at the end of a region
  double elapsed = 0;                         // outermost regions
  double parallel = 0, serial = 0, all = 0;   // wall time
  double end = 0;                             // CLOCK_MONOTONIC
};

// How long a run works or sleeps, and its samples a second. Computing for 240 ms gives as many samples at 2,000 a
// second as 480 ms at 1,000. What a busy machine adds to each sleep, and to each wait of more than two threads, does
// not become less at a higher rate: these runs are as long as the program has them.
struct Length {
  const char* ms;
  int frequency;
};
Length LengthOf(const std::string& mode, int threads) {
  const bool asleep = mode.find("_asleep") != std::string::npos;
  const int all_threads = mode == "nested" ? 2 * threads : threads;
  if (asleep || all_threads > 2) return {"400", 1000};
  return ClaimsAreCoarse() ? Length{"160", 2000} : Length{"240", 2000};
}

double D(uint64_t value) { return static_cast<double>(value); }

Sums Add(const model::ProcessProfile& profile) {
  Sums sums;
  std::map<uint64_t, double> inside_by_level;
  for (const RegionStats& region : profile.regions) {
    Balance* balance = &sums.regions[region.codeptr_ra()];
    balance->instances += D(region.ended());
    balance->sync += D(region.sync_wait_ns());
    balance->outer += D(region.outer_blame_ns());
    balance->unblamed += D(region.unblamed_ns());
    sums.sync += D(region.sync_wait_ns());
    sums.regions_ended += D(region.ended());
    if (region.nesting_level() == 0) sums.elapsed += D(region.elapsed_ns());
    sums.unblamed += D(region.unblamed_ns());
    inside_by_level[region.nesting_level()] += D(region.outer_blame_ns());
  }
  // The programs have one region that others are nested in.
  for (const RegionStats& region : profile.regions)
    if (region.nesting_level() == 0 && inside_by_level.count(1) != 0)
      sums.regions[region.codeptr_ra()].inner = inside_by_level[1];
  for (const model::SampleRow& row : profile.samples) {
    sums.blame += D(row.cost.blame);
    sums.lock_blame += D(row.cost.lock_blame);
    const RegionContext* context = profile.FindContext(row.region);
    if (context != nullptr) sums.regions[context->codeptr_ra()].blamed += D(row.cost.blame);
  }
  for (const WaitStats& wait : profile.waits) {
    if (wait.acquired_at() != 0) continue;
    const OmptState state = model::StateOf(wait);
    if (state == OmptState::kIdle)
      sums.exact_idle += D(wait.total_ns());
    else if (state >= OmptState::kWaitMutex)
      sums.exact_lock += D(wait.total_ns()), sums.locks[state] += D(wait.total_ns());
    else
      sums.exact_sync += D(wait.total_ns());
    if (state == OmptState::kWaitBarrierImplicitParallel) sums.last_at_end += D(wait.last_count());
  }
  sums.lock = sums.exact_lock;
  sums.parallel = D(profile.footer.parallel_ns());
  sums.serial = D(profile.footer.serial_ns());
  sums.all = D(profile.footer.end_mono_ns() - profile.header.start_mono_ns());
  sums.end = D(profile.footer.end_mono_ns());
  sums.idle = D(profile.footer.idle_ns());
  sums.unblamed += D(profile.footer.idle_unblamed_ns());
  sums.handoff = D(profile.footer.lock_handoff_ns());
  sums.pending = D(profile.footer.blame_pending_ns());
  return sums;
}

// The waits that the report charges to `function` itself, or to a region in it with all its callees.
double Blamed(const nlohmann::json& report, const std::string& function) {
  double most = 0;
  for (const nlohmann::json& entry : report.value("functions", nlohmann::json::array())) {
    const std::string name = entry.value("name", "");
    if (FrameIs(name, function)) most = std::max(most, entry.value("total_blame_ns", 0.0));
  }
  return most;
}

double Of(const KnownTruth& truth, const std::string& kind, const std::string& name) {
  const auto names = truth.find(kind);
  if (names == truth.end()) return 0;
  const auto found = names->second.find(name);
  return found == names->second.end() ? 0 : found->second;
}

struct Build {
  const char* name;
  const char* program;
  int libomp = 0;  // version of the runtime under .deps/, 0: the system's
};

void PrintTo(const Build& build, std::ostream* out) { *out << build.name; }

class Blame : public ::testing::TestWithParam<std::tuple<Build, Mode, int>> {
 protected:
  // The least part of all waits that a function of `to_blame` causes.
  static constexpr double kLeastDue = 0.02;

  // Adds the figures of a recording.
  void Add(bool active, Claims* claims) {
    const auto& [build, mode, threads] = GetParam();
    Launch launch{build.program, {mode.name, std::to_string(threads), LengthOf(mode.name, threads).ms}};
    launch.threads = threads;
    launch.frequency = LengthOf(mode.name, threads).frequency;
    launch.libomp = build.libomp;
    launch.environment["OMP_WAIT_POLICY"] = active ? "active" : "passive";
    launch.environment["KMP_BLOCKTIME"] = active ? "infinite" : "0";
    launch.environment["GOMP_SPINCOUNT"] = active ? "infinite" : "0";
    if (std::string(mode.name) == "cancelled") launch.environment["OMP_CANCELLATION"] = "true";
    const Outcome outcome = RecordUntilDue(launch);
    ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
    EXPECT_EQ(outcome.err, "");
    ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
    const Outcome json = RunCommand({OmpprofPath(), "report", "--format=json", outcome.profiles[0]});
    const nlohmann::json report = nlohmann::json::parse(json.out, nullptr, /*allow_exceptions=*/false);
    ASSERT_TRUE(report.is_object()) << json.Describe();
    const model::ReadResult read = model::ReadProfile(outcome.profiles[0]);
    ASSERT_TRUE(read.status.ok()) << read.status.sentence();
    const Sums sums = testing::Add(read.profile);
    const KnownTruth truth = ParseTruth(outcome.out);
    SCOPED_TRACE(outcome.out);
    const std::string waiting = active ? ", waiting threads spin" : ", waiting threads sleep";
    AddWaits(sums, truth, waiting, claims);
    ExpectExact(sums);
    if (mode.lock_state != OmptState::kNone) {
      EXPECT_EQ(sums.locks.count(mode.lock_state), 1u) << "kinds of such waits";
      EXPECT_EQ(sums.locks.size(), 1u) << "kinds of waits for locks";
    }
    AddConserved(sums, 1e9 / launch.frequency, waiting, claims);
    for (const char* function : mode.to_blame) {
      double due = Due(mode, truth, function);
      double got = Blamed(report, function);
      double least = due;
      if (mode.asleep_after != nullptr) {
        // It sleeps for half of its length, and then ends. The waits end when the process begins to end, which takes
        // longer beside threads that spin.
        least += std::stod(LengthOf(mode.name, threads).ms) / 2 * 1e6 * (threads - 1);
        due += (sums.end - Of(truth, "end", "mono")) * (threads - 1);
        got = sums.blame - Blamed(report, mode.asleep_after);
      }
      EXPECT_GT(due, kLeastDue * (sums.sync + sums.idle + sums.lock))
          << "the program is to make others wait in " << function;
      // Between two holders the program does not know whom to blame. Nor does it know in which function a sleeper
      // slept.
      double open = Of(truth, "handoff", "all");
      if (mode.locked_asleep)
        for (const auto& [name, ns] : truth.at("blame")) open += ns;
      const std::string whose = std::string("percent of the blame due to ") + function + waiting;
      claims->AtLeast(whose, 100 * got / least, 100, 2.5);
      claims->AtMost(whose + ": at most", 100 * (got - open) / due, 100, 2.5);
    }
  }

  static double Due(const Mode& mode, const KnownTruth& truth, const char* function) {
    return (mode.locked_asleep ? 0 : Of(truth, "blame", function)) + Of(truth, "lock_blame", function);
  }

  // A machine may slow that thread down which is to wait, until nobody waits for a function of `to_blame`. Such a run
  // has nothing to claim, and the program runs again.
  static Outcome RecordUntilDue(const Launch& launch) {
    constexpr int kMostRuns = 6;
    const Mode mode = std::get<1>(GetParam());
    Outcome outcome = RunProgram(launch);
    for (int run = 1; run < kMostRuns && outcome.Exited(0); ++run) {
      const KnownTruth truth = ParseTruth(outcome.out);
      const double waits = Of(truth, "wait", "sync") + Of(truth, "wait", "idle") + Of(truth, "wait", "lock");
      const bool all_due = std::all_of(mode.to_blame.begin(), mode.to_blame.end(), [&](const char* function) {
        return Due(mode, truth, function) > kLeastDue * waits;
      });
      if (all_due || mode.asleep_after != nullptr) break;
      outcome = RunProgram(launch);
    }
    return outcome;
  }

  // The collector's exact sums are the program's measurements.
  void AddWaits(const Sums& sums, const KnownTruth& truth, const std::string& waiting, Claims* claims) {
    const double sync = Of(truth, "wait", "sync"), idle = Of(truth, "wait", "idle"), lock = Of(truth, "wait", "lock");
    const double hundredth = (sync + idle + lock) / 100;
    const auto near = [&](const std::string& what, double seen, double least, double most) {
      const std::string name = "percent of all waits: " + what + waiting;
      claims->AtLeast(name, seen / hundredth, least / hundredth, 1.5);
      claims->AtMost(name + ": at most", seen / hundredth, most / hundredth, 1.5);
    };
    near("in teams", sums.sync, sync - Of(truth, "wait", "released"), sync);
    // Workers of the last region are idle, too, while the program prints its truth and ends.
    near("outside regions", sums.idle, idle, idle + std::max(0.0, sums.end - Of(truth, "end", "mono")) * 8);
    near("for locks", sums.lock, lock, lock);
    near("in teams, by thread and context", sums.exact_sync, sums.sync, sums.sync);
    near("outside regions, by thread", sums.exact_idle, sums.idle, sums.idle);
  }

  // Serial and parallel time add up to all the time. Every region has one thread that came last to its end.
  void ExpectExact(const Sums& sums) {
    EXPECT_NEAR(sums.parallel, sums.elapsed, 0.001 * sums.elapsed);
    EXPECT_NEAR(sums.parallel + sums.serial, sums.all, 0.001 * sums.all);
    EXPECT_EQ(sums.last_at_end, sums.regions_ended);
  }

  void AddConserved(const Sums& sums, double period_ns, const std::string& waiting, Claims* claims) {
    const double waited = sums.sync + sums.idle + sums.lock;
    const double given = sums.blame + sums.lock_blame + sums.handoff + sums.unblamed + sums.pending;
    claims->Near("percent of what was waited: blamed, between holders, on nobody, or without a sample" + waiting,
                 100 * given / waited, 100, 1.5);
    claims->AtMost("percent of what was waited: without a sample" + waiting, 100 * sums.pending / waited, 0, 1.5);
    for (const auto& [codeptr, region] : sums.regions) {
      const double all = region.sync + region.outer;
      if (all < 0.05 * waited) continue;
      // The first sample in one region may carry work since the last sample in another region.
      const double sampling_error = 2 * period_ns * region.instances;
      const double off = std::abs(region.blamed + region.inner + region.unblamed - all) - sampling_error;
      claims->AtMost("percent of what was waited in and around a region: lost" + waiting, 100 * off / all, 0, 1.5);
    }
  }
};

TEST_P(Blame, GoesToTheThreadsThatOthersWaitFor) {
  const auto& [build, mode, threads] = GetParam();
  if (build.libomp != 0 && RuntimeFolder(build.libomp).empty())
    GTEST_SKIP() << build.name << " is not under .deps/: scripts/setup could not download it.";
  Decide([&](Claims* claims) {
    Add(/*active=*/true, claims);
    Add(/*active=*/false, claims);
  });
}

// As users record: at the default rate, on a machine that others use too. Blame is charged at samples, so that samples
// in step with the scheduler would charge other code.
class BlameBesideOthers
    : public ::testing::TestWithParam<std::tuple<const char*, std::pair<const char*, const char*>>> {};

TEST_P(BlameBesideOthers, GoesToTheSameCode) {
  const auto& [program, mode] = GetParam();
  const auto& [name, function] = mode;
  Launch launch{program, {name, "2", "1500"}};
  launch.frequency = 0;
  Decide([&, function = function](Claims* claims) {
    const BusyLoop loops[2];
    const Outcome outcome = RunProgram(launch);
    ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
    ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
    const KnownTruth truth = ParseTruth(outcome.out);
    const double due = Of(truth, "blame", function) + Of(truth, "lock_blame", function);
    ASSERT_GT(due, 0) << outcome.out;
    claims->Near(std::string("percent of the blame due to ") + function,
                 100 * Blamed(Profile(outcome.profiles[0]).report(), function) / due, 100, 2.5);
  });
}

INSTANTIATE_TEST_SUITE_P(Programs, BlameBesideOthers,
                         ::testing::Combine(::testing::Values("blame", "blame_gcc"),
                                            ::testing::Values(std::make_pair("block", "slow_iterations"),
                                                              std::make_pair("lock", "most_locked"))),
                         [](const auto& info) {
                           return std::string(std::get<1>(info.param).first) + "_" + std::get<0>(info.param);
                         });

class BlameAtExit : public ::testing::TestWithParam<const char*> {};

TEST_P(BlameAtExit, GoesToTheRegionThatExits) {
  constexpr int kThreads = 4;
  constexpr double kSleptNs = 200e6;
  Launch launch{GetParam(), {"exit_in_region", std::to_string(kThreads), "400"}};
  launch.threads = kThreads;
  Decide([&](Claims* claims) {
    const Outcome outcome = RunProgram(launch);
    EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
    ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
    const Outcome json = RunCommand({OmpprofPath(), "report", "--format=json", outcome.profiles[0]});
    const nlohmann::json report = nlohmann::json::parse(json.out, nullptr, /*allow_exceptions=*/false);
    ASSERT_TRUE(report.is_object()) << json.Describe();
    // Blame is in the region's code, at `exit`, or at the place of a sample on the way from waking up to `exit`, as in
    // the dynamic linker.
    const double got = Blamed(report, "RunExitInRegion()");
    claims->AtLeast("percent of the time that three threads waited for the sleeper",
                    100 * got / ((kThreads - 1) * kSleptNs), 100, 2.5);
    EXPECT_LE(got, (kThreads - 1) * report["duration_ns"].get<double>());
  });
}

// Locks that are held for a moment. A thread that met others at such a lock tells of it only with its release. The test
// reads the collector's exact sums, of which nothing may be lost. It does not read its rows, which have paths.
class BlameOfShortHolds : public ::testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(BlameOfShortHolds, EqualsTheWaits) {
  const auto& [program, threads] = GetParam();
  Launch launch{program, {"short_holds", std::to_string(threads)}};
  launch.threads = threads;
  launch.environment["OMPPROF_MAX_OVERHEAD"] = "0";  // so many acquisitions are estimated otherwise
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_EQ(outcome.out.find("guard"), std::string::npos) << outcome.Describe();
  ASSERT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
  const model::ReadResult read = model::ReadProfile(outcome.profiles[0]);
  ASSERT_TRUE(read.status.ok()) << read.status.sentence();
  const Sums sums = Add(read.profile);
  double charged = 0;
  for (const WaitStats& wait : read.profile.waits)
    if (wait.acquired_at() != 0) charged += D(wait.total_ns());
  // Threads that share a processor may not meet at one of these locks.
  EXPECT_GE(sums.locks.size(), 1u) << "neither the locks nor the critical were waited for";
  EXPECT_LE(sums.lock, sums.all * threads);
  EXPECT_LE(charged, sums.all * threads);
  SCOPED_TRACE(::testing::Message() << charged << " charged, " << sums.handoff << " between holders, of " << sums.lock);
  // The footer has 0 for less: threads that lost their processor at their last release were charged as well.
  if (sums.handoff > 0)
    EXPECT_NEAR((charged + sums.handoff) / sums.lock, 1, 0.001);
  else
    EXPECT_GE(charged, sums.lock);
}

INSTANTIATE_TEST_SUITE_P(Programs, BlameOfShortHolds,
                         ::testing::Combine(::testing::Values("blame", "blame_gcc"), ::testing::Values(2, 4)));
INSTANTIATE_TEST_SUITE_P(Programs, BlameAtExit, ::testing::Values("blame", "blame_gcc"));

const Mode kModes[] = {
    {"block", {"slow_iterations"}},
    {"block_asleep", {"slow_block_asleep"}},
    {"triangle_asleep", {"triangle_asleep"}},
    {"lock", {"most_locked"}, false, OmptState::kWaitLock},
    {"lock_asleep", {"most_locked_asleep"}, true, OmptState::kWaitLock},
    {"two_locks", {"both_locked"}, false, OmptState::kWaitLock},
    {"criticals", {"unnamed_critical"}, false, OmptState::kWaitCritical},
    {"ordered", {"ordered_part"}, false, OmptState::kWaitOrdered},
    {"atomic", {"atomic_update"}, false, OmptState::kWaitAtomic},
    {"taskwait", {"long_task"}},
    {"taskgroup", {"long_task"}},
    {"deep", {"long_task", "behind_tasks"}},
    {"cancelled", {"behind_tasks"}},
    {"serial", {"serial_part"}},
    {"end_asleep", {"exit"}, false, OmptState::kNone, "RunEndAsleep()"},
    {"nested_asleep", {"inner_asleep", "nested_asleep"}},
};

// Modes in which a team of four differs from a team of two: several threads wait for the same thread or lock, or work
// meanwhile. The other modes run with four threads in blame_more_test.
const Mode kTeamModes[] = {
    {"block_asleep", {"slow_block_asleep"}},
    {"triangle_asleep", {"triangle_asleep"}},
    {"lock", {"most_locked"}, false, OmptState::kWaitLock},
    {"two_locks", {"both_locked"}, false, OmptState::kWaitLock},
    {"ordered", {"ordered_part"}, false, OmptState::kWaitOrdered},
    {"taskwait", {"long_task"}},
    {"deep", {"long_task", "behind_tasks"}},
    {"serial", {"serial_part"}},
    {"nested_asleep", {"inner_asleep", "nested_asleep"}},
};

// All threads of these modes compute, and spin when they are done. With more threads than processors, the kernel would
// keep them from running between their log and their work. The modes that sleep have the same truth, with four threads
// and with eight in nested regions.
const Mode kBusyModes[] = {
    {"triangle", {"triangle_row"}}, {"nested", {"inner_slow", "outer_only"}}, {"untied", {"behind_tasks"}}};

// LLVM's compiler leaves target regions to the runtime's own threads. Its version 14 knows no taskwait with nowait.
const Mode kGompModes[] = {{"target", {"long_target", "behind_tasks"}}, {"nowait", {"long_task", "behind_tasks"}}};

// libomp before version 19 waits for dependences in a node on the waiter's stack, which the thread that ends the wait
// still reads (llvm-project, issue 85963). A signal between its two reads, as a profiler's, makes the program crash or
// hang.
const Mode kDependence[] = {{"dependence", {"long_task", "behind_tasks"}}};

// One mode of each kind of other waits.
const Mode kFewModes[] = {{"block", {"slow_iterations"}},
                          {"triangle_asleep", {"triangle_asleep"}},
                          {"criticals", {"unnamed_critical"}, false, OmptState::kWaitCritical},
                          {"atomic", {"atomic_update"}, false, OmptState::kWaitAtomic},
                          {"taskgroup", {"long_task"}},
                          {"deep", {"long_task", "behind_tasks"}},
                          {"untied", {"behind_tasks"}},
                          {"cancelled", {"behind_tasks"}},
                          {"serial", {"serial_part"}}};

const Build kBuilds[] = {{"libomp", "blame"}, {"libgomp", "blame_gcc"}};
const Build kNewest[] = {{"libomp19", "blame", 19}};
const Build kDependenceBuilds[] = {kBuilds[1], kNewest[0]};
const Build kMoreBuilds[] = {{"libomp15", "blame", 15}, {"libomp16", "blame", 16}, {"libomp19", "blame", 19}};

std::string NameOf(const ::testing::TestParamInfo<std::tuple<Build, Mode, int>>& info) {
  return std::string(std::get<1>(info.param).name) + "_" + std::get<0>(info.param).name + "_" +
         std::to_string(std::get<2>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Programs, Blame,
                         ::testing::Combine(::testing::ValuesIn(kBuilds), ::testing::ValuesIn(kModes),
                                            ::testing::Values(2)),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(Teams, Blame,
                         ::testing::Combine(::testing::ValuesIn(kBuilds), ::testing::ValuesIn(kTeamModes),
                                            ::testing::Values(4)),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(BusyPrograms, Blame,
                         ::testing::Combine(::testing::ValuesIn(kBuilds), ::testing::ValuesIn(kBusyModes),
                                            ::testing::Values(2)),
                         NameOf);

INSTANTIATE_TEST_SUITE_P(GompPrograms, Blame,
                         ::testing::Combine(::testing::Values(kBuilds[1]), ::testing::ValuesIn(kGompModes),
                                            ::testing::Values(2, 4)),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(Dependences, Blame,
                         ::testing::Combine(::testing::ValuesIn(kDependenceBuilds), ::testing::ValuesIn(kDependence),
                                            ::testing::Values(2, 4)),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(Newest, Blame,
                         ::testing::Combine(::testing::ValuesIn(kNewest), ::testing::ValuesIn(kFewModes),
                                            ::testing::Values(2)),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(MoreTeams, Blame,
                         ::testing::Combine(::testing::ValuesIn(kBuilds), ::testing::ValuesIn(kModes),
                                            ::testing::Values(4)),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(More, Blame,
                         ::testing::Combine(::testing::ValuesIn(kMoreBuilds), ::testing::ValuesIn(kModes),
                                            ::testing::Values(2, 4)),
                         NameOf);

}  // namespace
}  // namespace ompprof::testing

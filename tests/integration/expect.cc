#include "tests/integration/expect.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

namespace ompprof::testing {
namespace {

std::string Join(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& name : path) text += (text.empty() ? "" : ";") + name;
  return text;
}

// Time that the hypervisor gave to others while this machine had work, since the machine started: the eighth number of
// /proc/stat.
double StolenSeconds() {
  std::ifstream stat("/proc/stat");
  std::string cpu;
  double ticks = 0;
  stat >> cpu;
  for (int column = 0; column < 8; column++) stat >> ticks;
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

constexpr int kMaxRepeats = 2;

}  // namespace

std::string ReasonToRepeat(const Outcome& outcome, double stolen_seconds) {
  const double process_seconds = Truth::Parse(outcome.out).process * 1e-9;
  if (!outcome.Exited(0) || process_seconds <= 0 || stolen_seconds <= 0.01 * process_seconds) return "";
  std::ostringstream reason;
  reason << "the hypervisor took " << stolen_seconds << " s away during the run's " << process_seconds
         << " s of CPU time, more than 1 %";
  return reason.str();
}

std::optional<Recorded> Record(const Launch& launch, int warnings) {
  Outcome outcome;
  // A run that the hypervisor held up is no measure. Its CPU clocks ran on while nothing did, in the middle of any
  // function and between any two samples. Then a further run is taken, twice at most and for no other reason. The last
  // run counts, whatever its result.
  for (int repeats = 0;; ++repeats) {
    const double stolen_before = StolenSeconds();
    outcome = RunProgram(launch);
    const std::string reason = ReasonToRepeat(outcome, StolenSeconds() - stolen_before);
    if (reason.empty() || repeats == kMaxRepeats) break;
    std::cout << "[  REPEAT  ] " << launch.program << ": " << reason << " (repeat " << repeats + 1 << " of "
              << kMaxRepeats << ")" << std::endl;
  }
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_EQ(ForeignLines(outcome.err), "");
  EXPECT_EQ(WarningLines(outcome.err), warnings) << outcome.err;
  EXPECT_EQ(outcome.profiles.size(), 1u) << outcome.Describe();
  if (!outcome.Exited(0) || outcome.profiles.size() != 1) return std::nullopt;
  Profile profile(outcome.profiles[0]);
  EXPECT_EQ(profile.error(), "");
  if (!profile.error().empty()) return std::nullopt;
  Truth truth = Truth::Parse(outcome.out);
  EXPECT_GT(truth.process, 0) << outcome.Describe();
  EXPECT_GT(profile.CpuNs(), 0);
  EXPECT_EQ(profile.Lost(), 0);
  EXPECT_TRUE(profile.Complete());
  return Recorded{launch, std::move(outcome), std::move(truth), std::move(profile)};
}

namespace {

// Sums over recordings of one launch. Functions and paths are those of the truth.
struct Sums {
  double samples = 0;
  double seen_all = 0, seen_stacks = 0, truth_all = 0;
  std::map<std::string, std::pair<double, double>> functions;  // seen and in truth
  std::map<std::vector<std::string>, std::pair<double, double>> paths;

  void Add(const Recorded& recorded) {
    const Profile& profile = recorded.profile;
    // Samples at random instants are independent draws. Those of the kernel's tick come evenly.
    samples += profile.report().at("source") == "on-cpu-timer" ? profile.report().at("effective_samples").get<double>()
                                                               : INFINITY;
    seen_all += profile.CpuNs();
    seen_stacks += profile.StackTotal();
    truth_all += recorded.truth.process;
    for (const auto& [name, ns] : recorded.truth.functions) {
      functions[name].first += profile.FunctionTotalNs(name);
      functions[name].second += ns;
    }
    for (const auto& [path, ns] : recorded.truth.paths) {
      paths[path].first += profile.PathNs(path);
      paths[path].second += ns;
    }
  }

  // Whether right shares are as near as this, but for chance.
  bool IsEnough(double tolerance) const {
    double variance = 0;
    const auto add = [&](double ns) {
      const double share = ns / truth_all;
      variance = std::max(variance, share * (1 - share));
    };
    for (const auto& [name, ns] : functions) add(ns.second);
    for (const auto& [path, ns] : paths) add(ns.second);
    return 100 * kLeastDeviations * std::sqrt(variance / samples) <= tolerance;
  }
};

constexpr int kMostRecordings = 8;

}  // namespace

void ExpectShares(const Recorded& recorded, const Tolerance& tolerance) {
  Sums sums;
  sums.Add(recorded);
  for (int recordings = 1; !sums.IsEnough(tolerance.share) && recordings < kMostRecordings; ++recordings) {
    std::cout << "[   MORE   ] " << recorded.launch.program << ": " << sums.samples << " samples so far" << std::endl;
    const auto another = Record(recorded.launch);
    if (!another) return;
    sums.Add(*another);
  }
  EXPECT_TRUE(sums.IsEnough(tolerance.share)) << sums.samples << " samples in " << kMostRecordings << " recordings";
  for (const auto& [name, ns] : sums.functions)
    EXPECT_NEAR(100 * ns.first / sums.seen_all, 100 * ns.second / sums.truth_all, tolerance.share)
        << "percent of the CPU time in " << name;
  for (const auto& [path, ns] : sums.paths)
    EXPECT_NEAR(100 * ns.first / sums.seen_stacks, 100 * ns.second / sums.truth_all, tolerance.share)
        << "percent of the CPU time under " << Join(path);
  EXPECT_NEAR(100 * sums.seen_all / sums.truth_all, 100, tolerance.total)
      << "percent of the process's CPU time that the profile accounts for";
}

void ExpectUnderMain(const Recorded& recorded, const std::string& function, const Tolerance& tolerance) {
  EXPECT_GT(recorded.profile.PathNs({function}), 0) << function;
  EXPECT_LE(100 * recorded.profile.DetachedShare(function), tolerance.detached)
      << "percent of the CPU time in " << function << " that are not under main";
}

void ExpectLines(const Recorded& recorded, const Tolerance& tolerance) {
  const double cpu_ns = recorded.profile.CpuNs();
  std::map<std::string, std::map<int, double>> lines;
  for (const auto& [site, ns] : recorded.truth.lines) {
    const auto& [function, line] = site;
    if (lines.count(function) == 0) lines[function] = recorded.profile.CallLines(function);
    EXPECT_NEAR(100 * lines[function][line] / cpu_ns, 100 * ns / recorded.truth.process, tolerance.share)
        << "percent of the CPU time under line " << line << " of " << function;
  }
}

std::optional<Recorded> ExpectKnownAnswer(const KnownAnswer& known, const char* library, Launch launch) {
  launch.program = known.program;
  // Every thread moves up to some milliseconds of its time from one phase of the program to the next: a thread that
  // spins in the kernel takes no sample until it is back in user code. So with more than 4 threads the run is longer:
  // the differences are then no more than a fourth of what is allowed, as with 2 threads.
  const int longer = launch.threads <= 4 ? 1 : 4;
  launch.environment["OMP_MAX_ACTIVE_LEVELS"] = "2";
  const int cpu_ms = kKnownAnswerCpuMs * longer * known.longer;
  launch.arguments = {std::to_string(known.each_thread ? cpu_ms / std::max(1, launch.threads / 2) : cpu_ms)};
  if (launch.program == "dlopen_omp") launch.arguments.insert(launch.arguments.begin(), ProgramPath(library));
  auto recorded = Record(launch);
  if (!recorded) return recorded;
  ExpectShares(*recorded);
  if (known.lines) ExpectLines(*recorded);
  for (const char* function : known.under_main) ExpectUnderMain(*recorded, function);
  return recorded;
}

}  // namespace ompprof::testing

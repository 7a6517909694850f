#include "tests/integration/expect.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
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
  return Recorded{std::move(outcome), std::move(truth), std::move(profile)};
}

void ExpectShares(const Recorded& recorded, const Tolerance& tolerance) {
  const Truth& truth = recorded.truth;
  const Profile& profile = recorded.profile;
  // Samples at random instants are independent draws. With too few, a right profile fails by chance. Those of the
  // kernel's tick come evenly.
  const double samples = profile.report().at("source") == "on-cpu-timer"
                             ? profile.report().at("effective_samples").get<double>()
                             : INFINITY;
  const auto enough = [&](double ns) {
    const double share = ns / truth.process;
    EXPECT_LE(100 * kLeastDeviations * std::sqrt(std::max(0.0, share * (1 - share)) / samples), tolerance.share)
        << samples << " samples are too few for this tolerance: the run must be longer";
  };
  for (const auto& [name, ns] : truth.functions) enough(ns);
  for (const auto& [path, ns] : truth.paths) enough(ns);
  for (const auto& [name, ns] : truth.functions) {
    EXPECT_NEAR(100 * profile.FunctionTotalNs(name) / profile.CpuNs(), 100 * ns / truth.process, tolerance.share)
        << "percent of the CPU time in " << name;
  }
  for (const auto& [path, ns] : truth.paths) {
    EXPECT_NEAR(100 * profile.PathNs(path) / profile.StackTotal(), 100 * ns / truth.process, tolerance.share)
        << "percent of the CPU time under " << Join(path);
  }
  EXPECT_NEAR(100 * profile.CpuNs() / truth.process, 100, tolerance.total)
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
  std::optional<Recorded> recorded;
  // A slow machine takes fewer samples than were asked for. Then the run is longer, whatever its shares are.
  for (int factor = 1;; factor *= 3) {
    const int cpu_ms = kKnownAnswerCpuMs * longer * known.longer * factor;
    launch.arguments = {std::to_string(known.each_thread ? cpu_ms / std::max(1, launch.threads / 2) : cpu_ms)};
    if (launch.program == "dlopen_omp") launch.arguments.insert(launch.arguments.begin(), ProgramPath(library));
    recorded = Record(launch);
    if (!recorded) return recorded;
    const double samples = recorded->profile.report().at("effective_samples");
    if (samples >= kEnoughSamples || factor > 1) break;
    std::cout << "[  LONGER  ] " << launch.program << ": " << samples << " samples" << std::endl;
  }
  ExpectShares(*recorded);
  if (known.lines) ExpectLines(*recorded);
  for (const char* function : known.under_main) ExpectUnderMain(*recorded, function);
  return recorded;
}

}  // namespace ompprof::testing

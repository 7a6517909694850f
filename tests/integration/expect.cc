#include "tests/integration/expect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ompprof::testing {
namespace {

std::string Join(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& name : path) text += (text.empty() ? "" : ";") + name;
  return text;
}

}  // namespace

std::optional<Recorded> Record(const Launch& launch, int warnings) {
  Outcome outcome = RunProgram(launch);
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
  return Recorded{launch, warnings, std::move(outcome), std::move(truth), std::move(profile)};
}

void ExpectClaims(const Recorded& recorded, const std::function<void(const Recorded&, Claims*)>& add) {
  bool first = true;
  Decide([&](Claims* claims) {
    if (std::exchange(first, false)) return add(recorded, claims);
    if (const auto another = Record(recorded.launch, recorded.warnings)) add(*another, claims);
  });
}

void AddShare(const Recorded& recorded, const std::string& what, double seen, double truth, double most,
              Claims* claims) {
  // Samples at random instants are independent draws.
  const double samples = recorded.profile.report().at("effective_samples");
  const double variance = std::max(0.0, truth * (1 - truth)) / samples;
  claims->Near("percent of the CPU time " + what, 100 * seen, 100 * truth, most, 100 * std::sqrt(variance));
}

void AddShares(const Recorded& recorded, const Tolerance& tolerance, Claims* claims) {
  const Profile& profile = recorded.profile;
  const auto add = [&](const std::string& what, double seen, double truth) {
    AddShare(recorded, what, seen, truth, tolerance.share, claims);
  };
  const Truth& truth = recorded.truth;
  for (const auto& [name, ns] : truth.functions)
    add("in " + name, profile.FunctionTotalNs(name) / profile.CpuNs(), ns / truth.process);
  for (const auto& [path, ns] : truth.paths)
    add("under " + Join(path), profile.PathNs(path) / profile.StackTotal(), ns / truth.process);
  claims->Near("percent of the process's CPU time that the profile accounts for", 100 * profile.CpuNs() / truth.process,
               100, tolerance.total);
}

void ExpectShares(const Recorded& recorded, const Tolerance& tolerance) {
  ExpectClaims(recorded, [&](const Recorded& each, Claims* claims) { AddShares(each, tolerance, claims); });
}

void ExpectUnderMain(const Recorded& recorded, const std::string& function, const Tolerance& tolerance) {
  EXPECT_GT(recorded.profile.PathNs({function}), 0) << function;
  ExpectClaims(recorded, [&](const Recorded& each, Claims* claims) {
    claims->AtMost("percent of the CPU time in " + function + " that are not under main",
                   100 * each.profile.DetachedShare(function), 0, tolerance.detached);
  });
}

void ExpectLines(const Recorded& recorded, const Tolerance& tolerance) {
  ExpectClaims(recorded, [&](const Recorded& each, Claims* claims) {
    std::map<std::string, std::map<int, double>> lines;
    for (const auto& [site, ns] : each.truth.lines) {
      const auto& [function, line] = site;
      if (lines.count(function) == 0) lines[function] = each.profile.CallLines(function);
      AddShare(each, "under line " + std::to_string(line) + " of " + function,
               lines[function][line] / each.profile.CpuNs(), ns / each.truth.process, tolerance.share, claims);
    }
  });
}

// Coarse claims allow 3 points of a share. 500 ms have some 4,000 samples, whose standard deviation is 0.8 points.
int KnownAnswerCpuMs() { return ClaimsAreCoarse() ? 500 : 2000; }

std::optional<Recorded> ExpectKnownAnswer(const KnownAnswer& known, const char* library, Launch launch) {
  launch.program = known.program;
  // Every thread moves up to some milliseconds of its time from one phase of the program to the next: a thread that
  // spins in the kernel takes no sample until it is back in user code. So with more than 4 threads the run is longer:
  // the differences are then no more than a fourth of what is allowed, as with 2 threads.
  const int longer = launch.threads <= 4 ? 1 : 4;
  launch.environment["OMP_MAX_ACTIVE_LEVELS"] = "2";
  const int cpu_ms = KnownAnswerCpuMs() * longer * known.longer;
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

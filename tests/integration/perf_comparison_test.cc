// A second opinion: `perf record` watches the same run, because waiting takes a different share of each run. The first
// ten functions by self time must have the same shares. The programs are the demonstration program, and
// a real program of 10,000 lines: FastTree, from Debian's source package.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/integration/harness.h"
#include "tests/integration/leaf_shares.h"
#include "tests/integration/profile.h"
#include "tests/statistics/claims.h"

namespace ompprof::testing {
namespace {

// Records `program` (a path) with both profilers and compares. The runtime's threads wait without yielding. Of threads
// that lose their processor each few microseconds, perf misses nine samples in ten. Of those that it had of a program,
// 51 % were in sched_yield, for 89 % of the CPU time.
void AddShares(const std::string& program, const std::vector<std::string>& arguments, Claims* claims) {
  const std::string folder = NewFolder(), data = folder + "/perf.data";
  std::vector<std::string> command = {"perf",
                                      "record",
                                      "-g",
                                      "-e",
                                      "cpu-clock",
                                      "-F",
                                      "1000",
                                      "-o",
                                      data,
                                      "env",
                                      "OMP_NUM_THREADS=2",
                                      "KMP_USE_YIELD=0",
                                      "OMPPROF_FREQUENCY=997",
                                      OmpprofPath(),
                                      "record",
                                      "--",
                                      program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Outcome recorded = RunCommand(command, folder);
  ASSERT_TRUE(recorded.Exited(0)) << recorded.Describe();
  ASSERT_EQ(recorded.profiles.size(), 1u) << recorded.Describe();

  std::string error;
  const LeafShares perf = LeafSharesOfPerf(data, program, &error);
  ASSERT_EQ(error, "");
  const LeafShares ours = LeafSharesOfProfile(recorded.profiles[0], program, &error);
  ASSERT_EQ(error, "");

  const double samples = Profile(recorded.profiles[0]).report().at("effective_samples");
  std::vector<std::pair<double, std::string>> largest;
  for (const auto& [name, share] : perf) largest.emplace_back(share, name);
  std::sort(largest.rbegin(), largest.rend());
  if (largest.size() > 10) largest.resize(10);
  ASSERT_GE(largest.size(), 5u);
  for (const auto& [share, name] : largest) {
    const auto found = ours.find(name);
    const double our_share = found == ours.end() ? 0 : found->second;
    claims->Near("percent of self time in " + name, 100 * our_share, 100 * share, 1.5,
                 100 * std::sqrt(share * (1 - share) / samples));
    printf("%5.1f %% by perf, %5.1f %% by us: %s\n", 100 * share, 100 * our_share, name.c_str());
  }
}

void ExpectTheSameShares(const std::string& program, const std::vector<std::string>& arguments) {
  const Outcome probe = RunCommand({"perf", "record", "-g", "-e", "cpu-clock", "-o", NewFolder() + "/probe", "true"});
  if (!probe.Exited(0)) {
    GTEST_SKIP() << "perf cannot record here (package linux-perf missing, or perf_event_paranoid above 1).";
  }
  Decide([&](Claims* claims) { AddShares(program, arguments, claims); });
}

// `count` DNA sequences that descend from one another by random mutations: an input for a tree.
void WriteSequences(const std::string& path, int count, int length) {
  std::mt19937 random(5);
  const auto below = [&random](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  std::vector<std::string> sequences(1, std::string(length, 'A'));
  for (char& base : sequences[0]) base = "ACGT"[below(4)];
  while (static_cast<int>(sequences.size()) < count) {
    std::string next = sequences[below(static_cast<int>(sequences.size()))];
    for (int i = 4 + below(36); i > 0; --i) next[below(length)] = "ACGT"[below(4)];
    sequences.push_back(next);
  }
  std::ofstream out(path);
  for (size_t i = 0; i < sequences.size(); ++i) out << ">s" << i << "\n" << sequences[i] << "\n";
}

TEST(Perf, SameSharesInTheDemonstrationProgram) { ExpectTheSameShares(ProgramPath("demo_heat"), {"4"}); }

TEST(Perf, SameSharesInARealProgram) {
  const std::string source = FastTreeSource();
  if (source.empty()) GTEST_SKIP() << "the source package fasttree could not be downloaded by scripts/setup.";
  const std::string folder = NewFolder(), program = folder + "/FastTreeMP";
  const Outcome built =
      RunCommand({"clang", "-O2", "-g", "-w", "-fopenmp", "-DOPENMP", "-DUSE_DOUBLE", "-o", program, source, "-lm"});
  ASSERT_TRUE(built.Exited(0)) << built.Describe();
  WriteSequences(folder + "/sequences", 1800, 400);
  ExpectTheSameShares(program, {"-nt", "-gtr", "-nosupport", "-quiet", folder + "/sequences"});
}

}  // namespace
}  // namespace ompprof::testing

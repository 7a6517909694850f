// A second opinion: `perf record` watches the same run of the demonstration program, and the first ten functions by
// self time have the same shares within 3 points. The same run, because waiting for a lock takes a different share of
// each.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/integration/harness.h"
#include "tests/integration/leaf_shares.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

TEST(Perf, SameFunctionsSameShares) {
  const std::string folder = NewFolder(), data = folder + "/perf.data";
  const Outcome probe = RunCommand({"perf", "record", "-e", "cpu-clock:u", "-o", folder + "/probe", "true"});
  if (!probe.Exited(0)) {
    GTEST_SKIP() << "perf cannot record here (package linux-perf missing, or perf_event_paranoid too high).";
  }
  const std::string program = ProgramPath("demo_heat");
  const Outcome recorded =
      RunCommand({"perf", "record", "-e", "cpu-clock:u", "-F", "1000", "-o", data, "env", "OMP_NUM_THREADS=2",
                  "OMPPROF_FREQUENCY=1000", OmpprofPath(), "record", "--", program},
                 folder);
  ASSERT_TRUE(recorded.Exited(0)) << recorded.Describe();
  ASSERT_EQ(recorded.profiles.size(), 1u) << recorded.Describe();

  std::string error;
  const LeafShares perf = LeafSharesOfPerf(data, program, &error);
  ASSERT_EQ(error, "");
  const LeafShares ours = LeafSharesOfProfile(recorded.profiles[0], program, &error);
  ASSERT_EQ(error, "");

  std::vector<std::pair<double, std::string>> largest;
  for (const auto& [name, share] : perf) largest.emplace_back(share, name);
  std::sort(largest.rbegin(), largest.rend());
  if (largest.size() > 10) largest.resize(10);
  ASSERT_GE(largest.size(), 5u);
  for (const auto& [share, name] : largest) {
    const auto found = ours.find(name);
    EXPECT_NEAR(100 * (found == ours.end() ? 0 : found->second), 100 * share, 3) << "percent of self time in " << name;
  }
}

}  // namespace
}  // namespace ompprof::testing

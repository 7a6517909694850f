// When a run may be repeated: never because of its result.
#include "tests/integration/expect.h"

#include <gtest/gtest.h>

namespace ompprof::testing {
namespace {

Outcome RunOf(const std::string& out, int status) {
  Outcome outcome;
  outcome.started = true;
  outcome.status = status;
  outcome.out = out;
  return outcome;
}

TEST(ReasonToRepeat, IsTimeThatTheHypervisorTookAndNothingElse) {
  const std::string two_seconds = "truth process cpu_ns 2000000000\n";
  EXPECT_NE(ReasonToRepeat(RunOf(two_seconds, 0), 0.021), "");
  EXPECT_EQ(ReasonToRepeat(RunOf(two_seconds, 0), 0.019), "");
  EXPECT_EQ(ReasonToRepeat(RunOf(two_seconds, 0), 0), "");
  EXPECT_EQ(ReasonToRepeat(RunOf(two_seconds, 1 << 8), 1), "") << "a run that failed";
  EXPECT_EQ(ReasonToRepeat(RunOf(two_seconds, 11), 1), "") << "a run that crashed";
  EXPECT_EQ(ReasonToRepeat(RunOf("", 0), 1), "") << "a run that told no truth";
}

TEST(ReasonToRepeat, SaysWhat) {
  const std::string reason = ReasonToRepeat(RunOf("truth process cpu_ns 2000000000\n", 0), 0.5);
  EXPECT_NE(reason.find("hypervisor took 0.5 s"), std::string::npos) << reason;
}

}  // namespace
}  // namespace ompprof::testing

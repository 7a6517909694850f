// Code that a program generates has the names of the program's perf map, and its callers.
#include <gtest/gtest.h>

#include <string>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

TEST(GeneratedCode, HasItsNamesAndCallers) {
  const auto recorded = Record({"generated_code", {"2500"}});
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  const Profile& profile = recorded->profile;
  const double driven = recorded->truth.functions.at("driven_work") / recorded->truth.process;
  EXPECT_NEAR(profile.PathNs({"main", "run_generated", "jit_trampoline", "driven_work"}) / profile.StackTotal(), driven,
              0.02);
  const double loop = recorded->truth.functions.at("py::jit_loop") / recorded->truth.process;
  EXPECT_NEAR(profile.PathNs({"main", "run_generated", "py::jit_loop"}) / profile.StackTotal(), loop, 0.02);
  EXPECT_EQ(profile.FunctionTotalNs("of an older function"), 0);
  for (const auto& function : profile.report().at("functions")) {
    if (function.value("name", "") != "py::jit_loop") continue;
    EXPECT_EQ(function.value("file", ""), "/home/me/loop.py");
  }
}

TEST(GeneratedCode, LinesThatMeanNothingAreOneNote) {
  const auto recorded = Record({"generated_code", {"1500", "1"}});
  ASSERT_TRUE(recorded);
  EXPECT_GT(recorded->profile.FunctionSelfNs("py::jit_loop"), 0);
  int notes = 0;
  for (const auto& note : recorded->profile.report().at("notes"))
    notes += note.get<std::string>().find(": 3 lines of /tmp/perf-") != std::string::npos;
  EXPECT_EQ(notes, 1);
}

}  // namespace
}  // namespace ompprof::testing

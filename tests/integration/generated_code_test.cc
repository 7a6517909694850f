// Code that a program generates has the names of the program's perf map or jitdump, and its callers.
#include <gtest/gtest.h>

#include <string>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

int NotesWith(const Profile& profile, const std::string& text) {
  int notes = 0;
  for (const auto& note : profile.report().at("notes"))
    notes += note.get<std::string>().find(text) != std::string::npos;
  return notes;
}

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
  EXPECT_EQ(NotesWith(recorded->profile, ": 3 lines of /tmp/perf-"), 1);
}

class GeneratedRegion : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Runtimes, GeneratedRegion, ::testing::Values("generated_region", "generated_region_gcc"),
                         [](const auto& info) { return std::string(info.param); });

// Nothing describes the code. It has a row, under the region that called it.
TEST_P(GeneratedRegion, IsTheRegionsWork) {
  const auto recorded = Record({GetParam(), {"2000"}});
  ASSERT_TRUE(recorded);
  const Profile& profile = recorded->profile;
  double rows = 0, under_region = 0;
  for (const Profile::Stack& stack : profile.stacks()) {
    if (stack.frames.back().function.rfind("<generated code 0x", 0) != 0) continue;
    rows += stack.ns;
    for (const Profile::Frame& frame : stack.frames) {
      if (frame.function.rfind("generated_region [omp parallel generated_region.cc:", 0) != 0) continue;
      under_region += stack.ns;
      break;
    }
  }
  const double truth = recorded->truth.functions.at("generated") / recorded->truth.process;
  EXPECT_NEAR(rows / profile.StackTotal(), truth, 0.02);
  EXPECT_NEAR(under_region / profile.StackTotal(), truth, 0.02);
  EXPECT_LT(profile.FunctionSelfNs("<omp overhead>") / profile.CpuNs(), 0.02);
  // The code lies together, so it is one row.
  int names = 0;
  for (const auto& function : profile.report().at("functions"))
    names += function.value("name", "").rfind("<generated code 0x", 0) == 0;
  EXPECT_EQ(names, 1);
}

// All of the program's generated code is below a path that begins so, and no walk stopped. Addresses are left out.
void ExpectGeneratedCodeUnder(const std::string& expected, const Recorded& recorded) {
  const Profile& profile = recorded.profile;
  double whole = 0;
  for (const Profile::Stack& stack : profile.stacks()) {
    if (stack.frames.back().function.rfind("<generated code 0x", 0) != 0) continue;
    std::string path;
    for (const Profile::Frame& frame : stack.frames) path += frame.function.substr(0, frame.function.find(" 0x")) + ";";
    whole += path.rfind(expected, 0) == 0 ? stack.ns : 0;
  }
  const double truth = recorded.truth.functions.at("generated") / recorded.truth.process;
  EXPECT_NEAR(whole / profile.StackTotal(), truth, 0.02);
  EXPECT_LT(profile.FunctionTotalNs("<unwind stopped>") / profile.CpuNs(), 0.01);
}

// The tables lead from the region's creator to main.
TEST(GeneratedRegion, WithRegisteredTablesHasItsCallers) {
  const auto recorded = Record({"generated_region", {"1500", "tables"}});
  ASSERT_TRUE(recorded);
  ExpectGeneratedCodeUnder("main;<generated code;RunRegion;generated_region;generated_region [omp parallel ",
                           *recorded);
}

// Nothing tells how to leave the code, but the runtime tells which of its frames called the region's body.
class FramedKernel : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Runtimes, FramedKernel, ::testing::Values("generated_region", "generated_region_gcc"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(FramedKernel, IsUnderItsRegionAndMain) {
  const auto recorded = Record({GetParam(), {"1500", "framed"}});
  ASSERT_TRUE(recorded);
  ExpectGeneratedCodeUnder("main;RunRegion;generated_region;generated_region [omp parallel ", *recorded);
}

// The program deletes the file right after the record of the move, by which most of the work has its name.
TEST(JitDump, HasItsNamesAndCallers) {
  const auto recorded = Record({"jit_dump", {"2500"}});
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  const Profile& profile = recorded->profile;
  for (const char* name : {"jit_first", "jit_moved"}) {
    const double share = recorded->truth.functions.at(name) / recorded->truth.process;
    EXPECT_NEAR(profile.PathNs({"main", "run_generated", name}) / profile.StackTotal(), share, 0.02) << name;
  }
  EXPECT_EQ(profile.FunctionTotalNs("of an older function"), 0);
  EXPECT_EQ(NotesWith(profile, "jit-"), 0);
}

// Almost all of jit_first's time is in its loop.
TEST(JitDump, HasItsLines) {
  const auto recorded = Record({"jit_dump", {"1500"}});
  ASSERT_TRUE(recorded);
  double loop = 0;
  for (const Profile::Stack& stack : recorded->profile.stacks()) {
    const Profile::Frame& leaf = stack.frames.back();
    if (leaf.function == "jit_first" && leaf.line == 11) loop += stack.ns;
  }
  EXPECT_GT(loop, 0.95 * recorded->profile.FunctionSelfNs("jit_first"));
}

TEST(JitDump, RecordsThatMeanNothingAreOneNote) {
  const auto recorded = Record({"jit_dump", {"1500", "1"}});
  ASSERT_TRUE(recorded);
  EXPECT_GT(recorded->profile.FunctionSelfNs("jit_first"), 0);
  EXPECT_EQ(NotesWith(recorded->profile, ": 2 records of "), 1);
}

}  // namespace
}  // namespace ompprof::testing

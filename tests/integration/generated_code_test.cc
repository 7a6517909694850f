// Code that a program generates has the names of the program's perf map or jitdump, and its callers.
#include <gtest/gtest.h>

#include <string>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

std::string Ms() { return std::to_string(KnownAnswerCpuMs()); }

// A program deletes the file with its names at its end. The file is found at a flush, so the run has several of them.
Launch WithFlushes(Launch launch) {
  launch.environment["OMPPROF_FLUSH_INTERVAL"] = "0.05";
  return launch;
}

int NotesWith(const Profile& profile, const std::string& text) {
  int notes = 0;
  for (const auto& note : profile.report().at("notes"))
    notes += note.get<std::string>().find(text) != std::string::npos;
  return notes;
}

// All of the last function's time is under the path.
void AddPath(const Recorded& recorded, const std::vector<std::string>& path, Claims* claims) {
  AddShare(recorded, "under a path to " + path.back(), recorded.profile.PathNs(path) / recorded.profile.StackTotal(),
           recorded.truth.functions.at(path.back()) / recorded.truth.process, 1, claims);
}

// The program's generated code has this share of the time, by some measure.
void AddGenerated(const Recorded& recorded, const std::string& what, double ns, Claims* claims) {
  AddShare(recorded, what, ns / recorded.profile.StackTotal(),
           recorded.truth.functions.at("generated") / recorded.truth.process, 1, claims);
}

TEST(GeneratedCode, HasItsNamesAndCallers) {
  const auto recorded = Record(WithFlushes({"generated_code", {Ms()}}));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  const Profile& profile = recorded->profile;
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    AddPath(each, {"main", "run_generated", "jit_trampoline", "driven_work"}, claims);
    AddPath(each, {"main", "run_generated", "py::jit_loop"}, claims);
  });
  EXPECT_EQ(profile.FunctionTotalNs("of an older function"), 0);
  for (const auto& function : profile.report().at("functions")) {
    if (function.value("name", "") != "py::jit_loop") continue;
    EXPECT_EQ(function.value("file", ""), "/home/me/loop.py");
  }
}

TEST(GeneratedCode, LinesThatMeanNothingAreOneNote) {
  const auto recorded = Record(WithFlushes({"generated_code", {Ms(), "1"}}));
  ASSERT_TRUE(recorded);
  EXPECT_GT(recorded->profile.FunctionSelfNs("py::jit_loop"), 0);
  EXPECT_EQ(NotesWith(recorded->profile, ": 3 lines of /tmp/perf-"), 1);
}

class GeneratedRegion : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Runtimes, GeneratedRegion, ::testing::Values("generated_region", "generated_region_gcc"),
                         [](const auto& info) { return std::string(info.param); });

// Nothing describes the code. It has a row, under the region that called it.
TEST_P(GeneratedRegion, IsTheRegionsWork) {
  const auto recorded = Record({GetParam(), {Ms()}});
  ASSERT_TRUE(recorded);
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    double rows = 0, under_region = 0;
    for (const Profile::Stack& stack : each.profile.stacks()) {
      if (stack.frames.back().function.rfind("<generated code 0x", 0) != 0) continue;
      rows += stack.ns;
      for (const Profile::Frame& frame : stack.frames) {
        if (frame.function.rfind("generated_region [omp parallel generated_region.cc:", 0) != 0) continue;
        under_region += stack.ns;
        break;
      }
    }
    AddGenerated(each, "in generated code", rows, claims);
    AddGenerated(each, "in generated code under its region", under_region, claims);
    claims->AtMost("percent of the CPU time in the runtime",
                   100 * each.profile.FunctionSelfNs("<omp overhead>") / each.profile.CpuNs(), 0, 1);
  });
  const Profile& profile = recorded->profile;
  // The code lies together, so it is one row.
  int names = 0;
  for (const auto& function : profile.report().at("functions"))
    names += function.value("name", "").rfind("<generated code 0x", 0) == 0;
  EXPECT_EQ(names, 1);
}

// All of the program's generated code is below a path that begins so, and no walk stopped. Addresses are left out.
void ExpectGeneratedCodeUnder(const std::string& expected, const Recorded& recorded) {
  ExpectClaims(recorded, [&](const Recorded& each, Claims* claims) {
    double whole = 0;
    for (const Profile::Stack& stack : each.profile.stacks()) {
      if (stack.frames.back().function.rfind("<generated code 0x", 0) != 0) continue;
      std::string path;
      for (const Profile::Frame& frame : stack.frames)
        path += frame.function.substr(0, frame.function.find(" 0x")) + ";";
      whole += path.rfind(expected, 0) == 0 ? stack.ns : 0;
    }
    AddGenerated(each, "in generated code under " + expected, whole, claims);
    claims->AtMost("percent of the CPU time where a walk stopped",
                   100 * each.profile.FunctionTotalNs("<unwind stopped>") / each.profile.CpuNs(), 0, 0.5);
  });
}

// The tables lead from the region's creator to main.
TEST(GeneratedRegion, WithRegisteredTablesHasItsCallers) {
  const auto recorded = Record({"generated_region", {Ms(), "tables"}});
  ASSERT_TRUE(recorded);
  ExpectGeneratedCodeUnder("main;<generated code;RunRegion;generated_region;generated_region [omp parallel ",
                           *recorded);
}

// Nothing tells how to leave the code, but the runtime tells which of its frames called the region's body.
class FramedKernel : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Runtimes, FramedKernel, ::testing::Values("generated_region", "generated_region_gcc"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(FramedKernel, IsUnderItsRegionAndMain) {
  const auto recorded = Record({GetParam(), {Ms(), "framed"}});
  ASSERT_TRUE(recorded);
  ExpectGeneratedCodeUnder("main;RunRegion;generated_region;generated_region [omp parallel ", *recorded);
}

// The program deletes the file right after the record of the move, by which most of the work has its name.
TEST(JitDump, HasItsNamesAndCallers) {
  const auto recorded = Record(WithFlushes({"jit_dump", {Ms()}}));
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  const Profile& profile = recorded->profile;
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    for (const char* name : {"jit_first", "jit_moved"}) AddPath(each, {"main", "run_generated", name}, claims);
  });
  EXPECT_EQ(profile.FunctionTotalNs("of an older function"), 0);
  EXPECT_EQ(NotesWith(profile, "jit-"), 0);
}

// Almost all of jit_first's time is in its loop.
TEST(JitDump, HasItsLines) {
  const auto recorded = Record(WithFlushes({"jit_dump", {Ms()}}));
  ASSERT_TRUE(recorded);
  double loop = 0;
  for (const Profile::Stack& stack : recorded->profile.stacks()) {
    const Profile::Frame& leaf = stack.frames.back();
    if (leaf.function == "jit_first" && leaf.line == 11) loop += stack.ns;
  }
  EXPECT_GT(loop, 0.95 * recorded->profile.FunctionSelfNs("jit_first"));
}

TEST(JitDump, RecordsThatMeanNothingAreOneNote) {
  Launch launch = WithFlushes({"jit_dump", {Ms()}});
  launch.arguments.push_back("1");
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  EXPECT_GT(recorded->profile.FunctionSelfNs("jit_first"), 0);
  EXPECT_EQ(NotesWith(recorded->profile, ": 2 records of "), 1);
}

}  // namespace
}  // namespace ompprof::testing

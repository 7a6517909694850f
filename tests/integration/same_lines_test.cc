// Code that macros, templates and lambdas make many times from one source line: each has a row and a name of its own,
// in every table, and its samples are under its own name. The counts are exact, so no figure depends on time.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/integration/expect.h"
#include "tests/integration/harness.h"

namespace ompprof::testing {
namespace {

// A region by its short name, how often the program runs it, and the function that works in it.
struct Region {
  std::string function;
  std::string line;
  int runs;
  std::string work;

  std::string Place() const { return " [omp parallel same_lines.cc:" + line + "]"; }
  std::string Name() const { return function + Place(); }
  // Whether a full name is the region's: "void kernel<Alpha>(Alpha) [omp parallel same_lines.cc:301]".
  bool IsNamed(const std::string& full) const {
    return full.find(function.substr(0, function.find('>'))) != std::string::npos &&
           full.find(Place()) != std::string::npos;
  }
};

// gcc counts a template's region at the line of the statement behind the pragma.
std::vector<Region> Regions(bool gcc) {
  const std::string line = gcc ? "302" : "301";
  return {{"phase0", "101", 1, "phase0_work"},
          {"phase1", "101", 2, "phase1_work"},
          {"phase2", "101", 3, "phase2_work"},
          {"phase3", "101", 4, "phase3_work"},
          {"twice", "201 #1", 5, "twice0_work"},
          {"twice", "201 #2", 5, "twice1_work"},
          {"kernel<Alpha>", line, 2, "alpha_work"},
          {"kernel<Beta>", line, 3, "beta_work"},
          {"kernel<lambda same_lines.cc:401>", line, 4, "left_work"},
          {"kernel<lambda same_lines.cc:402>", line, 5, "right_work"}};
}

class SameLines : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    gcc_ = std::string(GetParam()).find("_gcc") != std::string::npos;
    recorded_ = Record(Launch{GetParam(), {"600"}});
    ASSERT_TRUE(recorded_);
  }

  std::string Output(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), OmpprofPath());
    arguments.push_back(recorded_->outcome.profiles.at(0));
    return RunCommand(arguments).out;
  }

  bool gcc_ = false;
  std::optional<Recorded> recorded_;
};

TEST_P(SameLines, EachRegionHasItsRow) {
  std::map<std::string, int> runs;
  for (const auto& region : recorded_->profile.report()["regions"])
    runs[region["name"].get<std::string>()] += region["invocations"].get<int>();
  EXPECT_EQ(runs.size(), recorded_->profile.report()["regions"].size()) << "two rows read the same";
  EXPECT_EQ(runs.size(), 10u);
  // The short names are those of the text report.
  const std::string text = Output({"report", "--color=never", "--regions"});
  for (const Region& region : Regions(gcc_)) {
    EXPECT_NE(text.find("  " + region.Name() + "\n"), std::string::npos) << region.Name() << text;
    int counted = 0;
    for (const auto& [name, count] : runs) counted += region.IsNamed(name) ? count : 0;
    EXPECT_EQ(counted, region.runs) << region.Name();
  }
}

TEST_P(SameLines, SamplesAreUnderTheirOwnName) {
  std::set<std::string> seen;
  for (const Region& region : Regions(gcc_)) {
    for (const Profile::Stack& stack : recorded_->profile.stacks()) {
      bool works = false;
      bool named = false;
      for (const Profile::Frame& frame : stack.frames) {
        works |= frame.function == region.work;
        named |= region.IsNamed(frame.function);
      }
      if (works) seen.insert(region.work);
      EXPECT_EQ(works, works && named) << region.work << " is not below " << region.Name();
    }
  }
  EXPECT_EQ(seen.size(), 10u);
}

TEST_P(SameLines, FunctionsAreToldApart) {
  const std::string text = Output({"report", "--color=never", "--top", "--limit=0"});
  for (const char* name : {"kernel<Alpha> [", "kernel<Beta> [", "kernel<lambda same_lines.cc:401> ["})
    EXPECT_NE(text.find(name), std::string::npos) << name << text;
  EXPECT_EQ(text.find("kernel ["), std::string::npos) << text;
  const std::string speedscope = Output({"export", "--format=speedscope", "-o", "-"});
  EXPECT_NE(speedscope.find("kernel<lambda same_lines.cc:402>"), std::string::npos);
  EXPECT_NE(Output({"annotate", "--color=never", "kernel<Alpha>"}).find("same_lines.cc"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Compilers, SameLines, ::testing::Values("same_lines", "same_lines_clang19", "same_lines_gcc"),
                         [](const auto& info) { return std::string(info.param); });

// Without debug information no line tells anything.
TEST(SameLinesWithoutLines, PhasesAreTheirOwn) {
  for (const char* program : {"same_lines_nodebug", "same_lines_gcc_nodebug"}) {
    const auto recorded = Record(Launch{program, {"600"}});
    ASSERT_TRUE(recorded);
    std::map<std::string, int> runs;
    for (const auto& region : recorded->profile.report()["regions"]) {
      const auto name = region["name"].get<std::string>();
      runs[name.substr(0, name.find(" ["))] += region["invocations"].get<int>();
    }
    EXPECT_EQ(runs["phase0"], 1) << program;
    EXPECT_EQ(runs["phase3"], 4) << program;
    EXPECT_EQ(runs["twice"], 10) << program;
  }
}

}  // namespace
}  // namespace ompprof::testing

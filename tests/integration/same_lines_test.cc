// Code that macros, templates and lambdas make many times from one source line: each has a row and a name of its own,
// in every table, and its samples are under its own name. The counts are exact, so no figure depends on time.
#include <gtest/gtest.h>

#include <algorithm>
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
    // One run of each program serves all tests.
    static std::map<std::string, std::optional<Recorded>> runs;
    const auto [run, added] = runs.try_emplace(GetParam());
    if (added) run->second = Record(Launch{GetParam(), {"600"}});
    ASSERT_TRUE(run->second);
    recorded_ = &*run->second;
  }

  std::string Output(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), OmpprofPath());
    arguments.push_back(recorded_->outcome.profiles.at(0));
    return RunCommand(arguments).out;
  }

  bool gcc_ = false;
  const Recorded* recorded_ = nullptr;
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

class SameLineCalls : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    recorded_ = Record(Launch{GetParam(), {"300"}});
    ASSERT_TRUE(recorded_);
  }

  // Of the region in `function`, the iterations of each row of loops, by what tells the row from others of its line.
  std::map<std::string, int> Loops(const std::string& function) const {
    std::map<std::string, int> loops;
    for (const auto& region : recorded_->profile.report()["regions"]) {
      if (region["name"].get<std::string>().rfind(function + " [", 0) != 0) continue;
      for (const auto& loop : region["loops"]) {
        const auto at = loop["at"].get<std::string>();
        EXPECT_TRUE(loops.emplace(at.substr(std::min(at.find(' '), at.size())), loop["iterations"].get<int>()).second)
            << at;
      }
    }
    return loops;
  }

  // Of the region in `function`, the numbers of waits for barriers at a place, by place.
  std::map<std::string, int> Barriers(const std::string& function) const {
    std::map<std::string, int> barriers;
    for (const auto& wait : recorded_->profile.report()["waits"]) {
      if (wait["region"].get<std::string>().rfind(function + " [", 0) != 0) continue;
      if (wait["state"].get<std::string>().find("parallel") == std::string::npos)
        barriers[wait["at"].get<std::string>()] += wait["count"].get<int>();
    }
    return barriers;
  }

  std::optional<Recorded> recorded_;
};

TEST_P(SameLineCalls, EachConstructHasItsRow) {
  using Rows = std::map<std::string, int>;
  EXPECT_EQ(Loops("loops"), (Rows{{" #1", 8}, {" #2", 16}, {" #3", 24}}));
  EXPECT_EQ(Loops("singles"), (Rows{{" #1", 1}, {" #2", 1}, {" #3", 1}}));
  EXPECT_EQ(Loops("sections"), (Rows{{" #1", 4}, {" #2", 4}}));
  EXPECT_EQ(Loops("instances"), (Rows{{" in instance<Alpha>", 8}, {" in instance<Beta>", 16}}));
  EXPECT_EQ(
      Barriers("barriers"),
      (Rows{{"same_line_calls.cc:401 #1", 2}, {"same_line_calls.cc:401 #2", 2}, {"same_line_calls.cc:401 #3", 2}}));
}

TEST_P(SameLineCalls, CopiesOfAConstructAreOne) {
  for (const auto& region : recorded_->profile.report()["regions"]) {
    if (region["name"].get<std::string>().rfind("twice [", 0) != 0) continue;
    int iterations = 0;
    for (const auto& loop : region["loops"]) {
      EXPECT_EQ(loop["at"].get<std::string>().find('#'), std::string::npos) << loop;
      iterations += loop["iterations"].get<int>();
    }
    EXPECT_EQ(iterations, 24);
  }
  EXPECT_EQ(Barriers("copies")["same_line_calls.cc:511"], 2);
}

TEST_P(SameLineCalls, TasksAreUnderTheirOwnName) {
  std::set<std::string> names;
  for (const char* number : {"0", "1", "2"}) {
    std::set<std::string> tasks;
    for (const Profile::Stack& stack : recorded_->profile.stacks()) {
      std::string task;
      for (const Profile::Frame& frame : stack.frames) {
        if (frame.function.find(" [omp task ") != std::string::npos) task = frame.function;
        if (frame.function == std::string("task") + number + "_work") tasks.insert(task);
      }
    }
    ASSERT_EQ(tasks.size(), 1u) << number;
    names.insert(*tasks.begin());
    EXPECT_NE(tasks.begin()->find("same_line_calls.cc:611 #"), std::string::npos) << *tasks.begin();
  }
  EXPECT_EQ(names.size(), 3u);
}

INSTANTIATE_TEST_SUITE_P(Compilers, SameLineCalls, ::testing::Values("same_line_calls", "same_line_calls_gcc"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace ompprof::testing

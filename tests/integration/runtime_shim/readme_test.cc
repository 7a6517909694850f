// runtime_shim/README.md gives ompt_set_callback's answer for every event, and lists the states. Both must equal the
// answers that a tool gets (answers_tool.cc).
#include <gtest/gtest.h>
#include <stdio.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/integration/harness.h"

namespace {

using ompprof::testing::BuiltPath;
using ompprof::testing::Launch;
using ompprof::testing::Load;
using ompprof::testing::Outcome;
using ompprof::testing::RunProgram;

struct Said {
  std::map<std::string, std::string> events;  // {name: answer}
  std::set<std::string> states;
};

Said Read(const std::string& path) {
  Said said;
  std::ifstream file(path);
  const std::regex event(R"(\| `(\w+)` \| (always|sometimes|sometimes_paired|impossible|never) \|.*)");
  const std::regex state(R"(\| `(\w+)` \| .*)");
  std::string section;
  for (std::string line; std::getline(file, line);) {
    std::smatch match;
    if (line.rfind("## ", 0) == 0) section = line;
    if (section == "## Events" && std::regex_match(line, match, event)) {
      EXPECT_TRUE(said.events.emplace(match[1], match[2]).second) << line;
    } else if (section == "## States" && std::regex_match(line, match, state)) {
      EXPECT_TRUE(said.states.insert(match[1]).second) << line;
    }
  }
  return said;
}

// The names as a tool hears them, without their common beginnings.
Said Ask() {
  Said said;
  Launch launch{BuiltPath("tests/integration/runtime_shim/future_program")};
  launch.load = Load::kNone;
  launch.environment["LD_PRELOAD"] =
      BuiltPath("runtime_shim/libgomp_ompt.so") + " " + BuiltPath("tests/integration/runtime_shim/libanswers_tool.so");
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  std::istringstream lines(outcome.out);
  char name[100], answer[100];
  for (std::string line; std::getline(lines, line);) {
    if (sscanf(line.c_str(), "event ompt_callback_%99s %99s", name, answer) == 2) said.events[name] = answer;
    if (sscanf(line.c_str(), "state ompt_state_%99s", name) == 1) said.states.insert(name);
  }
  return said;
}

TEST(Readme, SaysOfEveryEventWhatToolsAreAnswered) {
  const Said readme = Read("runtime_shim/README.md");
  const Said told = Ask();
  EXPECT_EQ(told.events.size(), 37u);
  EXPECT_EQ(readme.events, told.events);
}

TEST(Readme, ListsTheStates) {
  const Said readme = Read("runtime_shim/README.md");
  const Said told = Ask();
  EXPECT_GT(told.states.size(), 10u);
  EXPECT_EQ(readme.states, told.states);
}

}  // namespace

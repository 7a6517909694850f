// Settings without sense are refused with a sentence. `ompprof record` refuses before it starts the program. A
// preloaded collector cannot refuse the program, so it warns and stays out of the way.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/integration/expect.h"

namespace ompprof::testing {
namespace {

struct Setting {
  const char* name;
  const char* value;
};

class BadSetting : public ::testing::TestWithParam<Setting> {};

TEST_P(BadSetting, IsWarnedOfAndTheProgramRuns) {
  Launch launch{"flat", {"50"}};
  launch.load = Load::kPreload;
  launch.environment[GetParam().name] = GetParam().value;
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_NE(outcome.out.find("truth process"), std::string::npos) << outcome.Describe();
  EXPECT_EQ(WarningLines(outcome.err), 1) << outcome.err;
  EXPECT_EQ(ForeignLines(outcome.err), "");
  EXPECT_NE(outcome.err.find(GetParam().name), std::string::npos) << "the warning names the variable: " << outcome.err;
  EXPECT_NE(outcome.err.find(GetParam().value), std::string::npos) << "and its value: " << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(Values, BadSetting,
                         ::testing::Values(Setting{"OMPPROF_FREQUENCY", "0"}, Setting{"OMPPROF_FREQUENCY", "10001"},
                                           Setting{"OMPPROF_FREQUENCY", "many"}, Setting{"OMPPROF_FREQUENCY", "-5"},
                                           Setting{"OMPPROF_CLOCK", "sundial"}, Setting{"OMPPROF_UNWIND", "guess"},
                                           Setting{"OMPPROF_MAX_DEPTH", "3"}, Setting{"OMPPROF_MAX_MEMORY", "1K"},
                                           Setting{"OMPPROF_TASK_CONTEXT", "some"}, Setting{"OMPPROF_DELAY", "-1"},
                                           Setting{"OMPPROF_SIGNAL", "KILL"}, Setting{"OMPPROF_PAUSED", "maybe"},
                                           Setting{"OMPPROF_FLUSH_INTERVAL", "0"}, Setting{"OMPPROF_WAITS", "no"},
                                           Setting{"OMPPROF_EVENT", "no-such-event"}, Setting{"OMPPROF_CHILDREN", "no"},
                                           Setting{"OMPPROF_MAX_OVERHEAD", "101"}, Setting{"OMPPROF_TIMELINE", "on"},
                                           Setting{"OMPPROF_GOMP_SHIM", "yes"}),
                         [](const auto& info) {
                           std::string name = std::string(info.param.name) + "_" + info.param.value;
                           for (char& c : name) c = isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name;
                         });

TEST(Options, RecordRefusesBeforeItStartsAnything) {
  // `record` is as strict as the collector. Otherwise the collector would refuse a setting that `record` lets through,
  // and the program would run without a profile.
  const std::vector<std::vector<std::string>> wrong = {
      {"--frequency=0"},   {"--frequency=10001"}, {"--frequency=x"},       {"--clock=sundial"}, {"--unwind=guess"},
      {"--max-depth=3"},   {"--max-memory=1K"},   {"--signal=KILL"},       {"--signal=SEGV"},   {"--delay=-1"},
      {"--event=no-such"}, {"--no-such-option"},  {"--task-context=some"}, {"--gomp-shim=yes"}, {"--waits=no"}};
  for (const std::vector<std::string>& options : wrong) {
    SCOPED_TRACE(options[0]);
    Launch launch{"flat", {"50"}};
    launch.frequency = 0;
    launch.record_options = options;
    const Outcome outcome = RunProgram(launch);
    EXPECT_FALSE(outcome.Exited(0));
    EXPECT_FALSE(outcome.Killed(6) || outcome.Killed(11)) << outcome.Describe();
    EXPECT_EQ(outcome.out.find("truth process"), std::string::npos) << "the program ran";
    EXPECT_NE(outcome.err, "");
    EXPECT_TRUE(outcome.profiles.empty());
  }
}

TEST(Options, RecordNeedsAProgramThatExists) {
  Launch launch{"/nonexistent/program"};
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(127)) << outcome.Describe();
  EXPECT_NE(outcome.err.find("/nonexistent/program"), std::string::npos) << outcome.Describe();
  const Outcome nothing = RunCommand({OmpprofPath(), "record"});
  EXPECT_FALSE(nothing.Exited(0));
  EXPECT_NE(nothing.err, "");
}

TEST(Options, RecordPassesOptionsOn) {
  Launch launch{"flat", {"400"}};
  launch.frequency = 0;
  launch.record_options = {"--frequency=500", "--clock=wall"};
  const Outcome outcome = RunProgram(launch);
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_EQ(profile.report().value("clock", ""), "wall");
}

double Sum(const nlohmann::json& regions, const std::string& function, const char* member) {
  double sum = 0;
  for (const nlohmann::json& region : regions) {
    if (region["function"] == function) sum += region[member].get<double>();
  }
  return sum;
}

// Regions and samples are complete. Reports say nothing about waits that were not recorded.
void ExpectNoWaits(const Recorded& recorded) {
  const nlohmann::json& report = recorded.profile.report();
  for (const char* empty : {"waits", "locks", "efficiency", "advice"}) EXPECT_TRUE(report[empty].empty()) << empty;
  for (const auto& [name, state] : report["states"].items()) EXPECT_EQ(state["wait_ns"], 0) << name;
  for (const nlohmann::json& region : report["regions"]) {
    EXPECT_EQ(region["barrier_wait_ns"], 0);
    EXPECT_EQ(region["useful_ns"]["max"], 0);
    EXPECT_TRUE(region["loops"].empty());
  }
  for (const nlohmann::json& function : report["functions"]) {
    EXPECT_EQ(function["wait_ns"], 0) << function["name"];
    EXPECT_EQ(function["blame_ns"], 0) << function["name"];
  }
  const std::string note = "waits were not recorded (--waits=off)";
  // A busy machine has notes of its own.
  const nlohmann::json& notes = report["notes"];
  EXPECT_EQ(std::count(notes.begin(), notes.end(), nlohmann::json(note)), 1) << notes;
  const std::string file = recorded.outcome.profiles[0];
  const Outcome text = RunCommand({OmpprofPath(), "report", "--full", file});
  EXPECT_NE(text.out.find("note      " + note + "\n"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("Efficiency"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("Advice"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("Code that kept other threads waiting"), std::string::npos) << text.out;
  const Outcome prediction = RunCommand({OmpprofPath(), "whatif", "--threads=4", file});
  EXPECT_FALSE(prediction.Exited(0));
  EXPECT_EQ(prediction.out, "");
  EXPECT_NE(prediction.err.find("waits were not recorded (--waits=off)"), std::string::npos) << prediction.err;
}

TEST(Options, WithoutWaitsRegionsAndPathsAreAsEver) {
  Launch launch{"nested", {std::to_string(2 * KnownAnswerCpuMs())}};
  launch.environment["OMP_MAX_ACTIVE_LEVELS"] = "2";
  launch.environment["OMP_WAIT_POLICY"] = "passive";
  launch.environment["KMP_BLOCKTIME"] = "0";
  launch.record_options = {"--waits=off"};
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  ExpectShares(*recorded);
  ExpectUnderMain(*recorded, "nested_work");
  ExpectNoWaits(*recorded);
  // Two outer regions a round, and in each of their threads two inner regions.
  const nlohmann::json& regions = recorded->profile.report()["regions"];
  const double outer_ns = Sum(regions, "outer_region", "elapsed_ns");
  EXPECT_EQ(Sum(regions, "outer_region", "invocations"), 4);
  EXPECT_EQ(Sum(regions, "inner_region", "invocations"), 16);
  EXPECT_EQ(Sum(regions, "outer_region", "nesting_level"), 0);
  EXPECT_EQ(Sum(regions, "inner_region", "nesting_level"), 1);
  EXPECT_EQ(Sum(regions, "inner_region", "team_size"), 2);
  EXPECT_GT(outer_ns, 0);
  // Each of an outer region's two threads is in an inner region nearly all the time, as far as it has a processor to
  // begin one.
  ExpectClaims(*recorded, [](const Recorded& each, Claims* claims) {
    const nlohmann::json& all = each.profile.report()["regions"];
    const double threads = Sum(all, "inner_region", "elapsed_ns") / Sum(all, "outer_region", "elapsed_ns");
    claims->Mostly("threads of an outer region are in inner ones", 1.4 < threads && threads < 2.02);
  });
}

TEST(Options, WithoutWaitsLocksAreNotHeardOf) {
  for (const char* mode : {"critical", "lock", "barrier", "taskwait"}) {
    SCOPED_TRACE(mode);
    Launch launch{"waits", {mode, "500"}};
    launch.environment["OMPPROF_WAITS"] = "off";
    const auto recorded = Record(launch);
    ASSERT_TRUE(recorded);
    ExpectNoWaits(*recorded);
  }
}

TEST(Options, TheProgramsOwnOptionsAreItsOwn) {
  Launch launch{"/bin/echo", {"--help", "-o", "x", "--", "--frequency=0"}};
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_EQ(outcome.out, "--help -o x -- --frequency=0\n");
}

TEST(Options, HelpAndVersion) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"--help"}, {"record", "--help"}, {"report", "--help"}, {"export", "--help"}}) {
    std::vector<std::string> line = {OmpprofPath()};
    line.insert(line.end(), command.begin(), command.end());
    const Outcome outcome = RunCommand(line);
    EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
    EXPECT_NE(outcome.out, "") << "help goes to standard output";
  }
}

TEST(Options, ReportOfWhatIsNoProfileIsRefused) {
  for (const std::string& path : {std::string("/nonexistent.ompprof"), std::string("/etc/passwd")}) {
    const Outcome outcome = RunCommand({OmpprofPath(), "report", path});
    EXPECT_FALSE(outcome.Exited(0));
    EXPECT_TRUE(!outcome.timed_out && !outcome.Killed(6) && !outcome.Killed(11)) << outcome.Describe();
    EXPECT_NE(outcome.err.find(path), std::string::npos) << outcome.Describe();
  }
}

}  // namespace
}  // namespace ompprof::testing

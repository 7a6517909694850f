// Events that are counted beside the samples (record --count): known numbers of page faults in a known function, and
// CPU time as an event beside CPU time by samples.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/integration/expect.h"
#include "tests/integration/harness.h"
#include "tests/integration/pprof_file.h"
#include "tests/integration/profile.h"

namespace ompprof::testing {
namespace {

// What `event` counted in functions of this name themselves.
double CountIn(const nlohmann::json& functions, const std::string& name, const char* event) {
  double sum = 0;
  for (const nlohmann::json& function : functions) {
    if (function.value("name", "") == name) sum += function.at("counts").value(event, 0.0);
  }
  return sum;
}

double CountInRegion(const nlohmann::json& report, const std::string& function, const char* event) {
  double sum = 0;
  for (const nlohmann::json& region : report.at("regions")) {
    if (region.value("function", "") == function) sum += region.at("counts").value(event, 0.0);
  }
  return sum;
}

bool RefusesCycles() {
  return !RunCommand({OmpprofPath(), "record", "-q", "--count=cycles", "-o", NewFolder() + "/x", "--", "true"})
              .Exited(0);
}

void AddCounts(const Recorded& recorded, Claims* claims) {
  const nlohmann::json& report = recorded.profile.report();
  const nlohmann::json& functions = report.at("functions");
  const double pages = recorded.truth.counts.at("pages");
  claims->Near("page faults in the function that has them", CountIn(functions, "touch", "page-faults") / pages, 1,
               0.03);
  claims->AtMost("page faults beside it, of those in it", CountIn(functions, "compute", "page-faults") / pages, 0,
                 0.03);
  claims->Near("page faults in its region", CountInRegion(report, "touching_region", "page-faults") / pages, 1, 0.03);
  claims->AtLeast("page faults in all", report.at("counts").value("page-faults", 0.0) / pages, 1, 0.001);
  for (const char* name : {"touch", "compute"}) {
    claims->Near(std::string("CPU time counted in ") + name + ", of its sampled time",
                 CountIn(functions, name, "task-clock") / recorded.profile.FunctionSelfNs(name), 1, 0.05);
  }
  claims->Near("CPU time counted, of the process's",
               report.at("counts").value("task-clock", 0.0) / recorded.truth.process, 1, 0.05);
}

class Counts : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, Counts, ::testing::Values(1, 2, 4));

TEST_P(Counts, AreInTheFunctionsThatCausedThem) {
  Launch launch{"counted", {"20000", "1000"}};
  launch.threads = GetParam();
  launch.record_options = {"--count=page-faults,task-clock"};
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  EXPECT_FALSE(recorded->profile.report().contains("ipc"));
  ExpectClaims(*recorded, AddCounts);
}

TEST(CountsOfAProfile, AreInTextAndPprof) {
  Launch launch{"counted", {"2000", "200"}};
  launch.record_options = {"--count=minor-faults"};
  const auto recorded = Record(launch);
  ASSERT_TRUE(recorded);
  const std::string file = recorded->outcome.profiles[0];
  const Outcome full = RunCommand({OmpprofPath(), "report", "--full", file});
  EXPECT_NE(full.out.find("\n  counted   minor-faults "), std::string::npos) << full.out;
  const Outcome top = RunCommand({OmpprofPath(), "report", "--top", file});
  EXPECT_NE(top.out.find("minor-faults  function"), std::string::npos) << top.out;
  double sum = 0;
  pprof::Profile exported;
  std::string error;
  ASSERT_TRUE(ExportPprof(file, {}, &exported, &error)) << error;
  ASSERT_EQ(exported.sample_type_size(), 5);
  EXPECT_EQ(exported.string_table(static_cast<int>(exported.sample_type(4).type())), "minor-faults");
  for (const pprof::Sample& sample : exported.sample()) sum += static_cast<double>(sample.value(4));
  EXPECT_EQ(sum, recorded->profile.report().at("counts").value("minor-faults", 0.0));
}

// Nothing is counted while sampling is paused.
TEST(CountsOfAProfile, StopWhileSamplingIsPaused) {
  Launch launch{"control_tool", {"1000"}};
  launch.record_options = {"--count=task-clock"};
  Decide([&](Claims* claims) {
    const Outcome outcome = RunProgram(launch);
    ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
    ASSERT_EQ(outcome.profiles.size(), 1u);
    const Profile profile(outcome.profiles[0]);
    ASSERT_EQ(profile.error(), "");
    claims->Near("CPU time counted, of the sampled time",
                 profile.report().at("counts").value("task-clock", 0.0) / profile.CpuNs(), 1, 0.05);
  });
}

// Threads have no counts where the program has no descriptors to spare. The program's own are as they would be.
TEST(CountsOfAProfile, NeedADescriptor) {
  Launch launch{"descriptors", {"few4"}};
  launch.record_options = {"--count=page-faults"};
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_NE(outcome.out.find("open: 3 errno 24\n"), std::string::npos) << outcome.out;
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_NE(profile.report().at("notes").dump().find("events are not counted in every thread: the limit on open files"),
            std::string::npos)
      << profile.report().at("notes");
}

TEST(CountsOfAProfile, EndWhereTheProgramClosesTheDescriptor) {
  Launch launch{"descriptors", {"closed"}};
  launch.record_options = {"--count=page-faults"};
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_TRUE(profile.Complete());
  EXPECT_NE(profile.report().at("notes").dump().find("the program has closed descriptors that are not its own"),
            std::string::npos)
      << profile.report().at("notes");
}

// `record` refuses what the machine does not count. A program that is preloaded by hand has everything but the counts.
TEST(CountsOfAProfile, NeedACounter) {
  if (!RefusesCycles()) GTEST_SKIP() << "this machine counts cycles: no hardware event is sure to be refused";
  Launch launch{"counted", {"100", "100"}};
  launch.record_options = {"--count=page-faults,cycles"};
  const Outcome refused = RunProgram(launch);
  EXPECT_TRUE(refused.Exited(2)) << refused.Describe();
  EXPECT_EQ(refused.err.rfind("ompprof: event cycles: ", 0), 0u) << refused.err;
  EXPECT_TRUE(refused.profiles.empty());

  launch.record_options = {};
  launch.environment["OMPPROF_COUNT"] = "page-faults,cycles";
  launch.load = Load::kPreload;
  const Outcome outcome = RunProgram(launch);
  EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
  EXPECT_EQ(WarningLines(outcome.err), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("event cycles: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("; the profile has no counts\n"), std::string::npos) << outcome.err;
  ASSERT_EQ(outcome.profiles.size(), 1u);
  const Profile profile(outcome.profiles[0]);
  ASSERT_EQ(profile.error(), "");
  EXPECT_GT(profile.Samples(), 0);
  EXPECT_FALSE(profile.report().contains("counts"));
  EXPECT_NE(profile.report().at("notes").dump().find("the profile has no counts"), std::string::npos);
}

}  // namespace
}  // namespace ompprof::testing

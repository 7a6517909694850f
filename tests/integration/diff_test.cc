// ompprof diff on real runs: it finds a function that does three times the work, and no difference between two runs
// with equal work.
#include <gtest/gtest.h>

#include "nlohmann/json.hpp"
#include "tests/integration/harness.h"

namespace ompprof::testing {
namespace {

class Diff : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new std::string(NewFolder());
    Record("before.ompprof", "70");
    Record("again.ompprof", "70");
    Record("slower.ompprof", "210");
  }
  static void TearDownTestSuite() { delete folder_; }

  // Few samples: differences that the machine's load makes are then within noise.
  static void Record(const std::string& name, const std::string& changed) {
    Launch launch{"two_functions", {"100", changed}};
    launch.frequency = 250;
    launch.folder = *folder_;
    launch.record_options = {"-o", name};
    launch.environment["OMP_WAIT_POLICY"] = "passive";
    const Outcome outcome = RunProgram(launch);
    ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
    ASSERT_EQ(outcome.err, "");
  }

  static Outcome Compare(std::vector<std::string> words) {
    words.insert(words.begin(), {OmpprofPath(), "diff"});
    return RunCommand(words, *folder_);
  }

  static std::string* folder_;
};

std::string* Diff::folder_ = nullptr;

TEST_F(Diff, FindsTheFunctionThatChanged) {
  const Outcome outcome = Compare({"--format=json", "before.ompprof", "slower.ompprof"});
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  const nlohmann::json diff = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(diff["functions"][0]["name"], "changed_work");
  EXPECT_EQ(diff["functions"][0]["file"], "two_functions.cc");
  const nlohmann::json& changed = diff["functions"][0]["self"];
  EXPECT_EQ(changed["from"], "sampled");
  EXPECT_EQ(changed["verdict"], "more");
  // Three times the work. The tolerance is the interval that the comparison gives, and some for the machine.
  const double expected = 2 * changed["before"].get<double>();
  EXPECT_GT(expected, 0.6 * changed["low"].get<double>());
  EXPECT_LT(expected, 1.6 * changed["high"].get<double>());
  for (const nlohmann::json& function : diff["functions"]) {
    if (function["name"] != "steady_work") continue;
    EXPECT_EQ(function["self"]["verdict"], "noise") << function.dump();
  }
  ASSERT_EQ(diff["regions"].size(), 1u);
  EXPECT_EQ(diff["regions"][0]["cpu"]["verdict"], "more");
  EXPECT_EQ(diff["regions"][0]["elapsed"]["from"], "exact");
  EXPECT_EQ(diff["cpu"]["verdict"], "more");
  EXPECT_EQ(diff["wall"]["verdict"], "unknown");

  const Outcome text = Compare({"before.ompprof", "slower.ompprof"});
  EXPECT_NE(text.out.find("slower"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("changed_work  two_functions.cc"), std::string::npos);
  EXPECT_NE(text.out.find("Beyond noise: "), std::string::npos);
  const Outcome reverse = Compare({"slower.ompprof", "before.ompprof"});
  EXPECT_NE(reverse.out.find("faster"), std::string::npos) << reverse.out;
  EXPECT_EQ(reverse.out.find("slower  "), std::string::npos) << reverse.out;
}

TEST_F(Diff, TheSameWorkTwiceIsNoise) {
  for (const char* other : {"again.ompprof", "before.ompprof"}) {
    const Outcome outcome = Compare({"--fail-on-regression=0", "before.ompprof", other});
    EXPECT_TRUE(outcome.Exited(0)) << outcome.Describe();
    EXPECT_NE(outcome.out.find("Nothing changed beyond noise."), std::string::npos) << outcome.out;
  }
}

TEST_F(Diff, FailsOnARegression) {
  const Outcome slower = Compare({"--fail-on-regression=40", "before.ompprof", "slower.ompprof"});
  EXPECT_TRUE(slower.Exited(3)) << slower.Describe();
  EXPECT_NE(slower.err.find("slower beyond noise and by more than 40 %: CPU time +"), std::string::npos) << slower.err;
  EXPECT_NE(slower.err.find("function changed_work (two_functions.cc) +"), std::string::npos) << slower.err;
  EXPECT_NE(slower.err.find("region two_functions_region [omp parallel"), std::string::npos) << slower.err;
  EXPECT_EQ(slower.err.find("steady_work"), std::string::npos) << slower.err;
  EXPECT_TRUE(Compare({"--fail-on-regression=900", "before.ompprof", "slower.ompprof"}).Exited(0));
  EXPECT_TRUE(Compare({"--fail-on-regression=0", "slower.ompprof", "before.ompprof"}).Exited(0));
}

TEST_F(Diff, SeveralRunsOnASide) {
  const Outcome outcome =
      Compare({"--format=json", "--before", "before.ompprof", "again.ompprof", "--after", "slower.ompprof"});
  ASSERT_TRUE(outcome.Exited(0)) << outcome.Describe();
  const nlohmann::json diff = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(diff["runs_before"], 2);
  EXPECT_EQ(diff["runs_after"], 1);
}

TEST_F(Diff, RefusesRunsThatCannotBeCompared) {
  EXPECT_TRUE(Compare({"before.ompprof"}).Exited(2));
  EXPECT_TRUE(Compare({"before.ompprof", "again.ompprof", "slower.ompprof"}).Exited(2));
  EXPECT_TRUE(Compare({"--before", "before.ompprof"}).Exited(2));
  const Outcome absent = Compare({"before.ompprof", "absent.ompprof"});
  EXPECT_TRUE(absent.Exited(1));
  EXPECT_NE(absent.err.find("absent.ompprof: cannot be opened"), std::string::npos) << absent.err;
}

}  // namespace
}  // namespace ompprof::testing

// record's options: the variables that they stand for, and the sentence about each value that is not valid.
#include "profiler/cli/record/record_options.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>
#include <vector>

#include "profiler/config/settings.h"

namespace ompprof::cli {
namespace {

class RecordOptions : public testing::Test {
 protected:
  void SetUp() override { ForgetVariables(); }
  void TearDown() override { ForgetVariables(); }

  static void ForgetVariables() {
    for (const config::Setting& setting : config::Settings()) unsetenv(setting.variable);
  }

  // The settings that the options give.
  static GivenSettings Parse(const std::vector<std::string>& words) {
    auto given = std::make_shared<GivenSettings>();
    CLI::App app;
    AddSettingOptions(&app, given);
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // as CLI11 takes them
    return *given;
  }

  static std::string Sentence(const std::vector<std::string>& words) {
    config::Config config;
    ForgetVariables();
    return ApplySettings(Parse(words), &config).sentence();
  }
};

TEST_F(RecordOptions, AnAbsentOptionSetsNothing) { EXPECT_TRUE(Parse({}).empty()); }

TEST_F(RecordOptions, Variables) {
  const GivenSettings expected = {
      {"OMPPROF_FREQUENCY", "997"},  {"OMPPROF_OUTPUT", "x.%p"},     {"OMPPROF_CLOCK", "wall"},
      {"OMPPROF_SIGNAL", "RTMIN+3"}, {"OMPPROF_MAX_MEMORY", "256M"}, {"OMPPROF_DELAY", "2.5"},
      {"OMPPROF_PAUSED", "1"},       {"OMPPROF_CHILDREN", "0"},      {"OMPPROF_GOMP_SHIM", "off"},
      {"OMPPROF_WAITS", "off"},      {"OMPPROF_TIMELINE", "1"},      {"OMPPROF_MAX_OVERHEAD", "0.5"},
  };
  EXPECT_EQ(
      Parse({"--frequency=997", "-o", "x.%p", "--clock=wall", "--signal=RTMIN+3", "--max-memory=256M", "--delay=2.5",
             "--paused", "--no-children", "--gomp-shim=off", "--waits=off", "--timeline", "--max-overhead=0.5"}),
      expected);
  EXPECT_EQ(Parse({"-F", "50", "-e", "cycles"}),
            (GivenSettings{{"OMPPROF_FREQUENCY", "50"}, {"OMPPROF_EVENT", "cycles"}}));
}

// The test asks the table: a row without an option, or with an option that sets another variable, fails.
TEST_F(RecordOptions, EverySettingHasItsOption) {
  for (const config::Setting& setting : config::Settings()) {
    const std::string names = setting.option;
    const std::string name = names.substr(names.find("--"));
    const bool flag = setting.type.kind == config::SettingKind::kFlag;
    const GivenSettings given = Parse({flag ? name : name + "=7"});
    ASSERT_EQ(given.size(), 1u) << names;
    EXPECT_EQ(given.begin()->first, setting.variable);
    if (!flag) {
      EXPECT_EQ(given.begin()->second, "7");
    }
  }
}

TEST_F(RecordOptions, SettingsAreApplied) {
  setenv("OMPPROF_MAX_DEPTH", "100", 1);
  setenv("OMPPROF_FREQUENCY", "5", 1);
  config::Config config;
  ASSERT_TRUE(ApplySettings(Parse({"--frequency=997", "--no-children", "--paused"}), &config).ok());
  EXPECT_EQ(config.frequency, 997u) << "an option overrides its variable";
  EXPECT_EQ(config.max_depth, 100u) << "the caller's variables stay in force";
  EXPECT_FALSE(config.children);
  EXPECT_TRUE(config.paused);
  EXPECT_STREQ(getenv("OMPPROF_FREQUENCY"), "997");
  EXPECT_STREQ(getenv("OMPPROF_CHILDREN"), "0");
  EXPECT_EQ(getenv("OMPPROF_CLOCK"), nullptr);
}

// read_config_test has the rule for each value. Here every option is checked, and the sentence names the option.
TEST_F(RecordOptions, Sentences) {
  const char* const expected[][2] = {
      {"--frequency=fast", "a whole number of samples per second from 1 to 10000"},
      {"--clock=sun", "cpu or wall"},
      {"--signal=KILL", "PROF"},
      {"--max-memory=lots", "bytes"},
      {"--max-depth=3", "a whole number of frames"},
      {"--delay=-1", "a number of seconds"},
      {"--flush-interval=0", "a number of seconds"},
      {"--unwind=magic", "cfi, fp or libunwind"},
      {"--task-context=all", "site, full or none"},
      {"--waits=some", "on or off"},
      {"--max-overhead=none", "percent of the CPU time from 0.1 to 100, or 0"},
      {"--gomp-shim=on", "auto or off"},
      {"--event=no-such", "task-clock"},
  };
  for (const auto& [option, accepted] : expected) {
    const std::string beginning = std::string(option) + ": not valid; accepted: " + accepted;
    EXPECT_EQ(Sentence({option}).substr(0, beginning.size()), beginning);
  }
  EXPECT_EQ(Sentence({"--event=cycles", "--clock=cpu"}),
            "--event=cycles and --clock=cpu: give only one of the two, because an event takes the place of a clock");
}

// A variable that the user set is named as a variable, also behind an option.
TEST_F(RecordOptions, SentencesAboutVariables) {
  config::Config config;
  setenv("OMPPROF_MAX_DEPTH", "3", 1);
  EXPECT_EQ(ApplySettings({}, &config).sentence().rfind("OMPPROF_MAX_DEPTH=3: not valid", 0), 0u);
  unsetenv("OMPPROF_MAX_DEPTH");
  setenv("OMPPROF_CLOCK", "wall", 1);
  EXPECT_EQ(
      ApplySettings(Parse({"--event=cycles"}), &config).sentence(),
      "--event=cycles and OMPPROF_CLOCK=wall: give only one of the two, because an event takes the place of a clock");
}

}  // namespace
}  // namespace ompprof::cli

// Values of the variables: accepted values, and a sentence that names the variable for each refused value.
#include "profiler/config/read_config.h"

#include <gtest/gtest.h>

#include <signal.h>
#include <stdlib.h>

#include <initializer_list>
#include <string>

#include "profiler/config/perf_events.h"
#include "profiler/config/settings.h"

namespace ompprof::config {
namespace {

class ConfigTest : public testing::Test {
 protected:
  void TearDown() override {
    for (const Setting& setting : Settings()) unsetenv(setting.variable);
  }
  bool Read(const char* name, const char* value) {
    TearDown();
    setenv((std::string("OMPPROF_") + name).c_str(), value, 1);
    config_ = Config();
    error_[0] = '\0';
    return ReadConfig(&config_, error_, sizeof(error_));
  }
  Config config_;
  char error_[1024];
};

TEST_F(ConfigTest, Defaults) {
  ASSERT_TRUE(ReadConfig(&config_, error_, sizeof(error_)));
  EXPECT_EQ(config_.frequency, 199u);
  EXPECT_EQ(config_.signal, SIGPROF);
  EXPECT_EQ(config_.clock, ClockKind::kCpu);
  EXPECT_EQ(config_.max_memory, 256ull << 20);
  EXPECT_EQ(config_.flush_interval_ns, 1000000000u);
  EXPECT_TRUE(config_.children);
  EXPECT_TRUE(config_.waits);
  EXPECT_EQ(config_.max_overhead_permille, 30u);
  EXPECT_TRUE(config_.gomp_shim);
  EXPECT_FALSE(config_.timeline);
  EXPECT_FALSE(config_.paused);
}

TEST_F(ConfigTest, Accepts) {
  EXPECT_TRUE(Read("FREQUENCY", "10000") && config_.frequency == 10000);
  EXPECT_TRUE(Read("FREQUENCY", "") && config_.frequency == 199) << "empty is unset";
  EXPECT_TRUE(Read("CLOCK", "wall") && config_.clock == ClockKind::kWall);
  EXPECT_TRUE(Read("SIGNAL", "RTMIN+3") && config_.signal == SIGRTMIN + 3);
  EXPECT_TRUE(Read("SIGNAL", "SIGUSR2") && config_.signal == SIGUSR2);
  EXPECT_TRUE(Read("SIGNAL", "27") && config_.signal == SIGPROF);
  EXPECT_TRUE(Read("MAX_MEMORY", "64M") && config_.max_memory == 64ull << 20);
  EXPECT_TRUE(Read("MAX_MEMORY", "2g") && config_.max_memory == 2ull << 30);
  EXPECT_TRUE(Read("UNWIND", "fp") && config_.unwind == UnwindKind::kFramePointer);
  EXPECT_TRUE(Read("TASK_CONTEXT", "full") && config_.task_context == TaskContext::kFull);
  EXPECT_TRUE(Read("DELAY", "0.25") && config_.delay_ns == 250000000);
  EXPECT_TRUE(Read("PAUSED", "1") && config_.paused);
  EXPECT_TRUE(Read("EVENT", "cache-misses") && std::string(config_.event) == "cache-misses");
  EXPECT_TRUE(Read("CHILDREN", "0") && !config_.children);
  EXPECT_TRUE(Read("WAITS", "off") && !config_.waits);
  EXPECT_TRUE(Read("WAITS", "on") && config_.waits);
  EXPECT_TRUE(Read("MAX_OVERHEAD", "0") && config_.max_overhead_permille == 0);
  EXPECT_TRUE(Read("MAX_OVERHEAD", "0.1") && config_.max_overhead_permille == 1);
  EXPECT_TRUE(Read("MAX_OVERHEAD", "0.5") && config_.max_overhead_permille == 5);
  EXPECT_TRUE(Read("MAX_OVERHEAD", "2.5") && config_.max_overhead_permille == 25);
  EXPECT_TRUE(Read("MAX_OVERHEAD", "0.3") && config_.max_overhead_permille == 3);
  EXPECT_TRUE(Read("MAX_OVERHEAD", "100") && config_.max_overhead_permille == 1000);
  EXPECT_TRUE(Read("TIMELINE", "1") && config_.timeline);
  EXPECT_TRUE(Read("TIMELINE", "0") && !config_.timeline);
  EXPECT_TRUE(Read("GOMP_SHIM", "off") && !config_.gomp_shim);
  EXPECT_TRUE(Read("GOMP_SHIM", "auto") && config_.gomp_shim);
}

TEST_F(ConfigTest, CountedEvents) {
  for (const char* list : {"cycles", "cycles,instructions,cache-misses", "page-faults,task-clock,cycles,branches"})
    EXPECT_TRUE(Read("COUNT", list) && std::string(config_.count) == list) << error_;
  EventList events;
  ASSERT_TRUE(ParseEvents("instructions,page-faults", &events));
  ASSERT_EQ(events.size, 2u);
  EXPECT_STREQ(events.events[0]->name, "instructions");
  EXPECT_STREQ(events.events[1]->name, "page-faults");
  for (const std::string& list :
       {std::string("no-such"), std::string("cycles,cycles"), std::string("cycles,"), std::string(",cycles"),
        std::string("cycles,,branches"), std::string("cycles, branches"),
        std::string("cycles,instructions,branches,page-faults,task-clock"), std::string(100, 'a')}) {
    EXPECT_FALSE(Read("COUNT", list.c_str())) << list;
    EXPECT_EQ(std::string(error_),
              "OMPPROF_COUNT=" + list +
                  ": not valid; accepted: one to 4 events of --event, each once, with commas between them");
  }
}

TEST_F(ConfigTest, AnEventIsNotCountedBesideAnother) {
  ASSERT_TRUE(Read("COUNT", "page-faults"));
  setenv("OMPPROF_EVENT", "task-clock", 1);
  EXPECT_FALSE(ReadConfig(&config_, error_, sizeof(error_)));
  EXPECT_STREQ(error_,
               "OMPPROF_EVENT=task-clock and OMPPROF_COUNT=page-faults: give only one of the two, because events are "
               "counted at samples that a clock times");
}

TEST_F(ConfigTest, AnEventIsAClockOfItsOwn) {
  ASSERT_TRUE(Read("EVENT", "cycles"));
  setenv("OMPPROF_CLOCK", "cpu", 1);
  EXPECT_FALSE(ReadConfig(&config_, error_, sizeof(error_)));
}

TEST_F(ConfigTest, RefusesWithASentenceThatNamesTheVariable) {
  const char* const kBad[][2] = {{"FREQUENCY", "0"},
                                 {"FREQUENCY", "10001"},
                                 {"FREQUENCY", "-5"},
                                 {"FREQUENCY", "1e3"},
                                 {"FREQUENCY", "99999999999999999999"},
                                 {"CLOCK", "gpu"},
                                 {"SIGNAL", "9"},
                                 {"SIGNAL", "KILL"},
                                 {"SIGNAL", "RTMIN+"},
                                 {"SIGNAL", "RTMIN+99"},
                                 {"SIGNAL", "11"},
                                 {"MAX_MEMORY", "1M"},
                                 {"MAX_MEMORY", "12x"},
                                 {"MAX_MEMORY", "99999999999999999999"},
                                 {"MAX_DEPTH", "4"},
                                 {"UNWIND", "magic"},
                                 {"TASK_CONTEXT", "both"},
                                 {"DELAY", "-1"},
                                 {"DELAY", "soon"},
                                 {"DELAY", "nan"},
                                 {"DELAY", "1000001"},
                                 {"PAUSED", "yes"},
                                 {"FLUSH_INTERVAL", "0"},
                                 {"WAITS", "0"},
                                 {"MAX_OVERHEAD", "-1"},
                                 {"MAX_OVERHEAD", "101"},
                                 {"MAX_OVERHEAD", "0.04"},
                                 {"MAX_OVERHEAD", "3%"},
                                 {"MAX_OVERHEAD", "nan"},
                                 {"MAX_OVERHEAD", "little"},
                                 {"TIMELINE", "on"},
                                 {"EVENT", "no-such"}};
  for (const auto& [name, value] : kBad) {
    EXPECT_FALSE(Read(name, value)) << name << "=" << value;
    EXPECT_NE(std::string(error_).find(std::string("OMPPROF_") + name + "=" + value), std::string::npos) << error_;
    EXPECT_NE(std::string(error_).find("; accepted: "), std::string::npos) << error_;
  }
}

// The accepted values are the useful part of the sentence: a long value must not push them out.
TEST_F(ConfigTest, ALongValueIsCutInTheSentence) {
  EXPECT_FALSE(Read("OUTPUT", std::string(4096, 'x').c_str()));
  EXPECT_EQ(std::string(error_),
            "OMPPROF_OUTPUT=" + std::string(200, 'x') + "...: not valid; accepted: at most 4095 bytes");
  EXPECT_TRUE(Read("OUTPUT", std::string(4095, 'x').c_str()));
}

// The log's header has the variable as it was.
template <typename Enum>
void ExpectWordsParseBack(const char* variable, Enum Config::*member, std::initializer_list<Enum> all) {
  for (const Enum value : all) {
    ASSERT_STRNE(WordOf(value), "");
    setenv(variable, WordOf(value), 1);
    Config config;
    char error[1024];
    ASSERT_TRUE(ReadConfig(&config, error, sizeof error)) << error;
    EXPECT_EQ(config.*member, value) << variable << "=" << WordOf(value);
  }
}

TEST_F(ConfigTest, TheHeadersWordsParseBack) {
  ExpectWordsParseBack("OMPPROF_CLOCK", &Config::clock, {ClockKind::kCpu, ClockKind::kWall});
  ExpectWordsParseBack("OMPPROF_UNWIND", &Config::unwind,
                       {UnwindKind::kCfi, UnwindKind::kFramePointer, UnwindKind::kLibunwind});
  ExpectWordsParseBack("OMPPROF_TASK_CONTEXT", &Config::task_context,
                       {TaskContext::kSite, TaskContext::kFull, TaskContext::kNone});
}

}  // namespace
}  // namespace ompprof::config

// record's options: the variables they stand for, and the sentence for each that makes no sense.
#include "profiler/cli/record_options.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <map>

namespace ompprof::cli {
namespace {

std::map<std::string, std::string> Variables(const RecordOptions& options) {
  Environment environment;
  EXPECT_TRUE(ToEnvironment(options, &environment).ok());
  return {environment.begin(), environment.end()};
}

std::string Sentence(const RecordOptions& options) {
  Environment environment;
  return ToEnvironment(options, &environment).sentence();
}

TEST(RecordOptions, WhatIsNotGivenIsNotSet) { EXPECT_TRUE(Variables({}).empty()); }

TEST(RecordOptions, Variables) {
  RecordOptions options;
  options.frequency = "997";
  options.output = "x.%p";
  options.clock = "wall";
  options.signal = "RTMIN+3";
  options.max_memory = "256M";
  options.delay = "2.5";
  options.paused = true;
  options.no_children = true;
  const std::map<std::string, std::string> expected = {
      {"OMPPROF_FREQUENCY", "997"},     {"OMPPROF_OUTPUT", "x.%p"},
      {"OMPPROF_CLOCK", "wall"},        {"OMPPROF_SIGNAL", std::to_string(SIGRTMIN + 3)},
      {"OMPPROF_MAX_MEMORY", "256M"},   {"OMPPROF_DELAY", "2.5"},
      {"OMPPROF_PAUSED", "1"},          {"OMPPROF_CHILDREN", "0"},
  };
  EXPECT_EQ(Variables(options), expected);
}

TEST(RecordOptions, Signals) {
  EXPECT_EQ(ParseSignal("27"), 27);
  EXPECT_EQ(ParseSignal("PROF"), SIGPROF);
  EXPECT_EQ(ParseSignal("SIGUSR1"), SIGUSR1);
  EXPECT_EQ(ParseSignal("RTMIN"), SIGRTMIN);
  EXPECT_EQ(ParseSignal("RTMAX-1"), SIGRTMAX - 1);
  for (const char* wrong : {"", "0", "65", "-1", "RTMIN+99", "RTMIN-1", "RTMINx", "RTMAX-60", "NOSUCH", "27x"}) {
    EXPECT_EQ(ParseSignal(wrong), 0) << wrong;
  }
}

TEST(RecordOptions, Sentences) {
  RecordOptions options;
  for (const char* wrong : {"0", "10001", "-5", "fast", "99999999999999999999"}) {
    options.frequency = wrong;
    EXPECT_EQ(Sentence(options), std::string("--frequency=") + wrong + ": give 1 to 10000 samples a second");
  }
  options = {};
  options.clock = "sun";
  EXPECT_EQ(Sentence(options), "--clock=sun: give cpu or wall");
  options = {};
  options.signal = "KILL";
  EXPECT_EQ(Sentence(options), "--signal=KILL: this signal cannot be handled; give another");
  options = {};
  options.max_memory = "lots";
  EXPECT_EQ(Sentence(options), "--max-memory=lots: give a size such as 256M");
  options = {};
  options.delay = "-1";
  EXPECT_EQ(Sentence(options), "--delay=-1: give seconds, such as 2.5");
  options = {};
  options.flush_interval = "0";
  EXPECT_EQ(Sentence(options), "--flush-interval=0: give seconds, more than 0");
  options = {};
  options.unwind = "magic";
  EXPECT_EQ(Sentence(options), "--unwind=magic: give cfi, fp or libunwind");
  options = {};
  options.task_context = "all";
  EXPECT_EQ(Sentence(options), "--task-context=all: give site, full or none");
  options = {};
  options.event = "cycles";
  options.clock = "cpu";
  EXPECT_EQ(Sentence(options), "--event and --clock: give one of them, an event is a clock of its own");
}

}  // namespace
}  // namespace ompprof::cli

// record's options: the variables they stand for, and the sentence for each that makes no sense.
#include "profiler/cli/record_options.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>

namespace ompprof::cli {
namespace {

std::map<std::string, std::string> Variables(const RecordOptions& options) {
  Environment environment;
  config::Config config;
  EXPECT_TRUE(ToEnvironment(options, &environment, &config).ok());
  return {environment.begin(), environment.end()};
}

std::string Sentence(const RecordOptions& options) {
  Environment environment;
  config::Config config;
  return ToEnvironment(options, &environment, &config).sentence();
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
  options.waits = "off";
  options.max_overhead = "0.5";
  options.gomp_shim = "off";
  options.paused = true;
  options.no_children = true;
  options.timeline = true;
  const std::map<std::string, std::string> expected = {
      {"OMPPROF_FREQUENCY", "997"},  {"OMPPROF_OUTPUT", "x.%p"},     {"OMPPROF_CLOCK", "wall"},
      {"OMPPROF_SIGNAL", "RTMIN+3"}, {"OMPPROF_MAX_MEMORY", "256M"}, {"OMPPROF_DELAY", "2.5"},
      {"OMPPROF_PAUSED", "1"},       {"OMPPROF_CHILDREN", "0"},      {"OMPPROF_GOMP_SHIM", "off"},
      {"OMPPROF_WAITS", "off"},      {"OMPPROF_TIMELINE", "1"},      {"OMPPROF_MAX_OVERHEAD", "0.5"},
  };
  EXPECT_EQ(Variables(options), expected);
}

// What a value must be like is config's to say (config_test has it all); here: every option is checked, before anything
// starts, and the sentence speaks of the option, not of the variable.
TEST(RecordOptions, Sentences) {
  const auto expect = [](const RecordOptions& options, const std::string& beginning) {
    for (const char* name : {"FREQUENCY", "CLOCK", "EVENT", "SIGNAL", "UNWIND", "MAX_DEPTH", "MAX_MEMORY",
                             "TASK_CONTEXT", "DELAY", "FLUSH_INTERVAL", "WAITS", "MAX_OVERHEAD", "GOMP_SHIM"}) {
      unsetenv((std::string("OMPPROF_") + name).c_str());
    }
    EXPECT_EQ(Sentence(options).rfind(beginning, 0), 0u) << Sentence(options);
    EXPECT_EQ(Sentence(options).find("OMPPROF_"), std::string::npos);
  };
  RecordOptions options;
  options.frequency = "fast";
  expect(options, "--frequency=fast: not valid; it takes a whole number of samples per second from 1 to 10000");
  options = {};
  options.clock = "sun";
  expect(options, "--clock=sun: not valid; it takes cpu or wall");
  options = {};
  options.signal = "KILL";
  expect(options, "--signal=KILL: not valid");
  options = {};
  options.max_memory = "lots";
  expect(options, "--max-memory=lots: not valid");
  options = {};
  options.max_depth = "3";
  expect(options, "--max-depth=3: not valid");
  options = {};
  options.delay = "-1";
  expect(options, "--delay=-1: not valid");
  options = {};
  options.flush_interval = "0";
  expect(options, "--flush-interval=0: not valid");
  options = {};
  options.unwind = "magic";
  expect(options, "--unwind=magic: not valid; it takes cfi, fp or libunwind");
  options = {};
  options.task_context = "all";
  expect(options, "--task-context=all: not valid");
  options = {};
  options.waits = "some";
  expect(options, "--waits=some: not valid; it takes on or off");
  options = {};
  options.max_overhead = "none";
  expect(options, "--max-overhead=none: not valid; it takes percent of the CPU time from 0.1 to 100, or 0");
  options = {};
  options.gomp_shim = "on";
  expect(options, "--gomp-shim=on: not valid; it takes auto or off");
  options = {};
  options.event = "no-such";
  expect(options, "--event=no-such: not valid; it takes task-clock");
  options = {};
  options.event = "cycles";
  options.clock = "cpu";
  expect(options, "--event=cycles and --clock=cpu: give one of them, an event is a clock of its own");
}

}  // namespace
}  // namespace ompprof::cli

// The options of `ompprof record` and the OMPPROF_* variables they stand for. The collector reads only the variables:
// a program can be profiled by setting them and LD_PRELOAD by hand.
#ifndef OMPPROF_PROFILER_CLI_RECORD_OPTIONS_H_
#define OMPPROF_PROFILER_CLI_RECORD_OPTIONS_H_

#include <string>
#include <utility>
#include <vector>

#include "profiler/config/config.h"
#include "profiler/model/status.h"

namespace ompprof::cli {

// Each as it was given; empty: not given.
struct RecordOptions {
  std::string frequency;
  std::string output;
  std::string clock;
  std::string event;
  std::string signal;
  std::string unwind;
  std::string max_depth;
  std::string max_memory;
  std::string task_context;
  std::string delay;
  std::string flush_interval;
  std::string waits;
  std::string max_overhead;
  std::string gomp_shim;
  bool paused = false;
  bool no_children = false;
  bool timeline = false;
  bool quiet = false;  // no progress line; record's own
};

using Environment = std::vector<std::pair<std::string, std::string>>;

// The variables for `options`, in `environment` and in this process's own environment; or a sentence about the first
// option that makes no sense. What was not given is not set: the caller's own OMPPROF_* variables stay in force.
// `config`: what they come to, all together.
model::Status ToEnvironment(const RecordOptions& options, Environment* environment, config::Config* config);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_RECORD_OPTIONS_H_

#include "profiler/cli/record_options.h"

#include <cstdlib>

namespace ompprof::cli {
namespace {

// "OMPPROF_MAX_DEPTH=3: ..." as the option the user gave: "--max-depth=3: ...".
std::string InTermsOfOptions(std::string sentence) {
  static const std::string kPrefix = "OMPPROF_";
  for (size_t at = sentence.find(kPrefix); at != std::string::npos; at = sentence.find(kPrefix, at)) {
    size_t end = at + kPrefix.size();
    std::string option = "--";
    for (; end < sentence.size() && sentence[end] != '='; ++end) {
      option += sentence[end] == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[end])));
    }
    sentence.replace(at, end - at, option);
    at += option.size();
  }
  return sentence;
}

}  // namespace

model::Status ToEnvironment(const RecordOptions& options, Environment* environment, config::Config* config) {
  const auto set = [&](const char* name, const std::string& value) {
    if (!value.empty()) environment->emplace_back(name, value);
  };
  set("OMPPROF_FREQUENCY", options.frequency);
  set("OMPPROF_OUTPUT", options.output);
  set("OMPPROF_CLOCK", options.clock);
  set("OMPPROF_EVENT", options.event);
  set("OMPPROF_SIGNAL", options.signal);
  set("OMPPROF_UNWIND", options.unwind);
  set("OMPPROF_MAX_DEPTH", options.max_depth);
  set("OMPPROF_MAX_MEMORY", options.max_memory);
  set("OMPPROF_TASK_CONTEXT", options.task_context);
  set("OMPPROF_DELAY", options.delay);
  set("OMPPROF_FLUSH_INTERVAL", options.flush_interval);
  set("OMPPROF_WAITS", options.waits);
  set("OMPPROF_MAX_OVERHEAD", options.max_overhead);
  set("OMPPROF_GOMP_SHIM", options.gomp_shim);
  if (options.paused) set("OMPPROF_PAUSED", "1");
  if (options.no_children) set("OMPPROF_CHILDREN", "0");
  if (options.timeline) set("OMPPROF_TIMELINE", "1");

  // The collector reads these variables in the program; what it would refuse there is refused here, by the same code.
  for (const auto& [name, value] : *environment) setenv(name.c_str(), value.c_str(), 1);
  *config = {};
  char error[1024];
  if (!config::ReadConfig(config, error, sizeof error)) return model::Status(InTermsOfOptions(error));
  return model::Status();
}

}  // namespace ompprof::cli

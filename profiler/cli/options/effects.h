// Options that need other options to have an effect. A command refuses an option that the user gave for nothing.
#ifndef OMPPROF_PROFILER_CLI_OPTIONS_EFFECTS_H_
#define OMPPROF_PROFILER_CLI_OPTIONS_EFFECTS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ompprof::cli {

struct Effect {
  std::string option;  // "--lines"
  bool has_effect;     // in this command line
  std::string reason;  // why not: "with --format=json"
};

// False, after a complaint, if the command line has an option of `effects` that has no effect.
bool AllHaveEffect(const CLI::App& command, const std::vector<Effect>& effects);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_OPTIONS_EFFECTS_H_

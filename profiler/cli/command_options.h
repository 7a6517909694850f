// What a command's options are like, for those who describe them: the manual pages and the completions.
#ifndef OMPPROF_PROFILER_CLI_COMMAND_OPTIONS_H_
#define OMPPROF_PROFILER_CLI_COMMAND_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ompprof::cli {

struct CommandOption {
  std::vector<std::string> names;  // "-F", "--frequency"
  bool takes_value = false;
  std::string value;                 // "HZ"; without a name of its own "VALUE"
  std::vector<std::string> choices;  // where only these are taken
  std::string help;
  std::string standard;  // the value without the option, empty: none, or not told
};

// All of `command`, --help among them; what is no option (FILE) is left out.
std::vector<CommandOption> OptionsOf(const CLI::App& command);

// What the command takes besides options: "FILE...", empty: nothing.
std::string ArgumentsOf(const CLI::App& command);

// The line in a command's footer that the list of its variables begins with.
inline constexpr char kEnvironmentHeading[] = "Environment (an option overrides its variable):\n";

// The parts of a command's footer: the text before the list of variables and before "Examples:", and the lines behind
// "Examples:".
std::string RemarksOf(const CLI::App& command);
std::string ExamplesOf(const CLI::App& command);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_COMMAND_OPTIONS_H_

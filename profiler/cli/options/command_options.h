// The commands and descriptions of their options, for the manual pages, the completions and sentences about options.
#ifndef OMPPROF_PROFILER_CLI_OPTIONS_COMMAND_OPTIONS_H_
#define OMPPROF_PROFILER_CLI_OPTIONS_COMMAND_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ompprof::cli {

// The commands that --help lists, in its order.
std::vector<const CLI::App*> Commands(const CLI::App& app);

struct CommandOption {
  std::vector<std::string> names;  // "-F", "--frequency"
  bool takes_value = false;
  std::string value;                 // "HZ"; without a name of its own "VALUE"
  std::vector<std::string> choices;  // the accepted words; empty: other values
  std::string help;
  std::string standard;  // the value without the option; empty: none, or not known
};

// All options of `command`, with --help and without arguments such as FILE.
std::vector<CommandOption> OptionsOf(const CLI::App& command);

// The arguments of the command besides options, such as "FILE...". Empty: none.
std::string ArgumentsOf(const CLI::App& command);

// The line in a command's footer that the list of its variables begins with.
inline constexpr char kEnvironmentHeading[] = "Environment (an option overrides its variable):\n";

// The parts of a command's footer: the text before the list of variables and before "Examples:", and the lines behind
// "Examples:".
std::string RemarksOf(const CLI::App& command);
std::string ExamplesOf(const CLI::App& command);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_OPTIONS_COMMAND_OPTIONS_H_

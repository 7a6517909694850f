// The sentences about a command line that cannot be parsed. The program prints them and ends with kUsage.
#ifndef OMPPROF_PROFILER_CLI_COMMANDS_USAGE_ERROR_H_
#define OMPPROF_PROFILER_CLI_COMMANDS_USAGE_ERROR_H_

#include <CLI/CLI.hpp>
#include <string>

namespace ompprof::cli {

// "report: there is no option --tre; did you mean --tree?". `word` is an option that `command` does not have. For the
// parser, and for `record`, whose parser takes such a word for the program's name.
std::string NoSuchOption(const CLI::App& command, const std::string& word);

// "there is no command 'reprot'; did you mean 'report'?". If `word` is a program, the sentence says how to profile it.
std::string NoSuchCommand(const CLI::App& app, const std::string& word);

// Prints the sentence about `error`, which `app` has thrown, and a sentence that says where the help is.
void ComplainOfUsage(const CLI::App& app, const CLI::ParseError& error);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_COMMANDS_USAGE_ERROR_H_

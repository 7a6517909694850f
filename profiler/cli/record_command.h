// ompprof record: runs a program with the collector loaded into it.
#ifndef OMPPROF_PROFILER_CLI_RECORD_COMMAND_H_
#define OMPPROF_PROFILER_CLI_RECORD_COMMAND_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ompprof::cli {

// Adds the command to `app`. The command becomes the program, so that its exit status, signals and standard streams are
// the program's; `status` gets an exit status only if the program cannot be run.
// `after_dashes` are the words after the first "--" of the command line, if it has one: CLI11 would take them for
// options.
void AddRecordCommand(CLI::App* app, std::optional<std::vector<std::string>> after_dashes, int* status);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_RECORD_COMMAND_H_

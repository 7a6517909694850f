// `ompprof record`: runs a program with the collector loaded into it.
#ifndef OMPPROF_PROFILER_CLI_RECORD_COMMAND_H_
#define OMPPROF_PROFILER_CLI_RECORD_COMMAND_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ompprof::cli {

// Adds the command to `app`. The command becomes the program by exec, so exit status, signals and standard streams are
// the program's. `status` gets an exit status only if the program cannot be run.
// `after_dashes` has the words after the first "--" of the command line, if there is a "--". CLI11 would take these
// words for options.
void AddRecordCommand(CLI::App* app, std::optional<std::vector<std::string>> after_dashes, int* status);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_RECORD_COMMAND_H_

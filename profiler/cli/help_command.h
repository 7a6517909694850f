// `ompprof help`: the help of ompprof or of a command, as --help prints it.
#ifndef OMPPROF_PROFILER_CLI_HELP_COMMAND_H_
#define OMPPROF_PROFILER_CLI_HELP_COMMAND_H_

#include <CLI/CLI.hpp>

namespace ompprof::cli {

// Adds the command to `app`, whose other commands it knows when it runs. The command sets `status`, the exit status.
void AddHelpCommand(CLI::App* app, int* status);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_HELP_COMMAND_H_

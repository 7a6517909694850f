// `ompprof diff`: changes in speed between two profiles.
#ifndef OMPPROF_PROFILER_CLI_DIFF_COMMAND_H_
#define OMPPROF_PROFILER_CLI_DIFF_COMMAND_H_

#include <CLI/CLI.hpp>

namespace ompprof::cli {

// Adds the command to `app`; `status` gets the exit status when the command has run.
void AddDiffCommand(CLI::App* app, int* status);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_DIFF_COMMAND_H_

// `ompprof merge`: the profiles of many processes in one file.
#ifndef OMPPROF_PROFILER_CLI_MERGE_COMMAND_H_
#define OMPPROF_PROFILER_CLI_MERGE_COMMAND_H_

#include <CLI/CLI.hpp>

namespace ompprof::cli {

// Adds the command to `app`; `status` gets the exit status when the command has run.
void AddMergeCommand(CLI::App* app, int* status);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_MERGE_COMMAND_H_

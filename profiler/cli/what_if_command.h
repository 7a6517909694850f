// `ompprof whatif`: how long the run would take after a change.
#ifndef OMPPROF_PROFILER_CLI_WHAT_IF_COMMAND_H_
#define OMPPROF_PROFILER_CLI_WHAT_IF_COMMAND_H_

#include <CLI/CLI.hpp>

namespace ompprof::cli {

void AddWhatIfCommand(CLI::App* app, int* status);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_WHAT_IF_COMMAND_H_

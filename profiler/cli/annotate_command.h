// `ompprof annotate`: source lines and instructions with their cost.
#ifndef OMPPROF_PROFILER_CLI_ANNOTATE_COMMAND_H_
#define OMPPROF_PROFILER_CLI_ANNOTATE_COMMAND_H_

#include <CLI/CLI.hpp>

namespace ompprof::cli {

void AddAnnotateCommand(CLI::App* app, int* status);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_ANNOTATE_COMMAND_H_

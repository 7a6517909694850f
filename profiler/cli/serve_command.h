// `ompprof serve`: the web page of a profile at an address of this machine, redrawn while the profile grows.
#ifndef OMPPROF_PROFILER_CLI_SERVE_COMMAND_H_
#define OMPPROF_PROFILER_CLI_SERVE_COMMAND_H_

#include <CLI/CLI.hpp>

namespace ompprof::cli {

void AddServeCommand(CLI::App* app, int* status);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_SERVE_COMMAND_H_

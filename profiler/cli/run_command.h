// Runs another command for its output.
#ifndef OMPPROF_PROFILER_CLI_RUN_COMMAND_H_
#define OMPPROF_PROFILER_CLI_RUN_COMMAND_H_

#include <string>
#include <vector>

namespace ompprof::cli {

// Runs the command, found by PATH, without input and error output. Returns its standard output; empty if it did not run
// or failed.
std::string OutputOf(const std::vector<std::string>& words);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_RUN_COMMAND_H_

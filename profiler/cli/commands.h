// All commands of ompprof: what the program parses its words with, and what the manual pages are made from.
#ifndef OMPPROF_PROFILER_CLI_COMMANDS_H_
#define OMPPROF_PROFILER_CLI_COMMANDS_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ompprof::cli {

inline constexpr char kVersionDate[] = "2026-11-21";  // for the manual pages

// Makes `app` ompprof. See AddRecordCommand for `after_dashes`; `status` gets the exit status of the command that has
// run.
void AddCommands(CLI::App* app, std::optional<std::vector<std::string>> after_dashes, int* status);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_COMMANDS_H_

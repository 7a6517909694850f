// All commands of ompprof. The program parses its command line with them, and the manual pages are made from them.
#ifndef OMPPROF_PROFILER_CLI_COMMANDS_H_
#define OMPPROF_PROFILER_CLI_COMMANDS_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ompprof::cli {

inline constexpr char kVersionDate[] = "2026-11-21";  // for the manual pages

// Adds all commands to `app`. AddRecordCommand explains `after_dashes`. The command that runs sets `status`, the exit
// status.
void AddCommands(CLI::App* app, std::optional<std::vector<std::string>> after_dashes, int* status);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_COMMANDS_H_

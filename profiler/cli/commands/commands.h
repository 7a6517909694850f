// The commands of ompprof, a file each. The program parses its command line with them, and the manual pages are made
// from them.
#ifndef OMPPROF_PROFILER_CLI_COMMANDS_COMMANDS_H_
#define OMPPROF_PROFILER_CLI_COMMANDS_COMMANDS_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ompprof::cli {

inline constexpr char kVersionDate[] = "2026-11-21";  // for the manual pages

// Adds all commands to `app`. The command that runs sets `status`, the exit status. `after_dashes`: see
// AddRecordCommand.
void AddCommands(CLI::App* app, std::optional<std::vector<std::string>> after_dashes, int* status);

// Add one command.

// `ompprof record` runs a program with the collector loaded into it. The command becomes the program by exec, so exit
// status, signals and standard streams are the program's. `status` gets an exit status only if the program cannot be
// run. `after_dashes` has the words after the first "--" of the command line, if there is a "--". CLI11 would take
// these words for options.
void AddRecordCommand(CLI::App* app, std::optional<std::vector<std::string>> after_dashes, int* status);
// `ompprof report`: where the time went, as text, JSON, CSV or a web page.
void AddReportCommand(CLI::App* app, int* status);
// `ompprof annotate`: source lines and instructions with their cost.
void AddAnnotateCommand(CLI::App* app, int* status);
// `ompprof top`: a running recording, live from its log.
void AddTopCommand(CLI::App* app, int* status);
// `ompprof serve`: the web page of a profile at an address of this machine, redrawn while the profile grows.
void AddServeCommand(CLI::App* app, int* status);
// `ompprof info`: the contents of a profile, without its symbols.
void AddInfoCommand(CLI::App* app, int* status);
// `ompprof diff`: changes in speed between two profiles.
void AddDiffCommand(CLI::App* app, int* status);
// `ompprof scale`: how speed changes with the number of threads, from runs that exist, or that it records first.
// `after_dashes`: as for AddRecordCommand.
void AddScaleCommand(CLI::App* app, std::optional<std::vector<std::string>> after_dashes, int* status);
// `ompprof whatif`: how long the run would take after a change.
void AddWhatIfCommand(CLI::App* app, int* status);
// `ompprof merge`: the profiles of many processes in one file.
void AddMergeCommand(CLI::App* app, int* status);
// `ompprof export`: a profile in another tool's format.
void AddExportCommand(CLI::App* app, int* status);
// `ompprof help`: the help of ompprof or of a command, as --help prints it. It knows the other commands when it runs.
void AddHelpCommand(CLI::App* app, int* status);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_COMMANDS_COMMANDS_H_

// `ompprof report`: where the time went, as text, JSON, CSV or a web page.
#ifndef OMPPROF_PROFILER_CLI_REPORT_COMMAND_H_
#define OMPPROF_PROFILER_CLI_REPORT_COMMAND_H_

#include <CLI/CLI.hpp>

namespace ompprof::cli {

// Adds the command to `app`; `status` gets the exit status when the command has run.
void AddReportCommand(CLI::App* app, int* status);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_REPORT_COMMAND_H_

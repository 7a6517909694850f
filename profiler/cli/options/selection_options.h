// --phase, --region and --thread: the part of a run that a command shows.
#ifndef OMPPROF_PROFILER_CLI_OPTIONS_SELECTION_OPTIONS_H_
#define OMPPROF_PROFILER_CLI_OPTIONS_SELECTION_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <string>

#include "profiler/analyze/view/selection.h"

namespace ompprof::cli {

// Adds the options to `group` of the command's help; "": the usual group.
void AddSelectionOptions(CLI::App* command, analyze::Selection* selection, const std::string& group = "");

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_OPTIONS_SELECTION_OPTIONS_H_

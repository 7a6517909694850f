// What standard output is, and printing a report to it: in colour and in the terminal's width, through a pager where it
// is longer than the screen. For the commands that print text for people.
#ifndef OMPPROF_PROFILER_CLI_TERMINAL_H_
#define OMPPROF_PROFILER_CLI_TERMINAL_H_

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

#include "profiler/report/style.h"

namespace ompprof::cli {

// As the user asked for it.
struct OutputOptions {
  std::string color = "auto";  // "auto", "always", "never"
  size_t width = 0;            // 0: the terminal's; without a terminal there is no limit
  bool no_pager = false;
};

// --color, --width and --no-pager, in a group of their own.
void AddOutputOptions(CLI::App* command, OutputOptions* options);

// "auto": colours on a terminal that has some, unless NO_COLOR says no (no-color.org). The width is COLUMNS if that is
// set, else what the terminal says.
report::Style StyleOf(const OutputOptions& options);

// Prints `text`; on a terminal and longer than its screen (LINES, or what it says), through $OMPPROF_PAGER, $PAGER or
// `less -RFX`, unless that is "" or "cat". That nobody reads to the end is no error: `ompprof report | head` succeeds.
// Returns the exit status, kSuccess or kFailure.
int Print(const std::string& text, const OutputOptions& options);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_TERMINAL_H_

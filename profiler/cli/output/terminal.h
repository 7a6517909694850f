// Prints a report to standard output: in colour, in the terminal's width, and through a pager where the report is
// longer than the screen. For the commands that print text for people.
#ifndef OMPPROF_PROFILER_CLI_OUTPUT_TERMINAL_H_
#define OMPPROF_PROFILER_CLI_OUTPUT_TERMINAL_H_

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

#include "profiler/report/basics/style.h"

namespace ompprof::cli {

// The user's choices.
struct OutputOptions {
  std::string color = "auto";  // "auto", "always", "never"
  size_t width = 0;            // 0: the terminal's width, or no limit without a terminal
  bool no_pager = false;
};

// --color, --width and --no-pager, in a group of their own.
void AddOutputOptions(CLI::App* command, OutputOptions* options);

// "auto": colours on a terminal that has colours, unless NO_COLOR is set (no-color.org). The width comes from COLUMNS
// if that variable is set, else from the terminal.
report::Style StyleOf(const OutputOptions& options);

// Prints `text`. On a terminal, a text longer than the screen (LINES, or the terminal's size) goes through
// $OMPPROF_PAGER, $PAGER or `less -RFX`, unless the pager is "" or "cat". A reader that stops early is no error:
// `ompprof report | head` succeeds. Returns the exit status, kSuccess or kFailure.
int Print(const std::string& text, const OutputOptions& options);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_OUTPUT_TERMINAL_H_

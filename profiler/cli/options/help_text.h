// Fits the text of --help and `ompprof help` to a terminal.
#ifndef OMPPROF_PROFILER_CLI_OPTIONS_HELP_TEXT_H_
#define OMPPROF_PROFILER_CLI_OPTIONS_HELP_TEXT_H_

#include <cstddef>
#include <string>

namespace ompprof::cli {

// `help` in lines of at most `width` columns. Lines without indentation that follow each other are a paragraph. A line
// in columns, such as an option with its explanation, continues below its last column. With `width` 0: as it is.
std::string FitHelp(const std::string& help, size_t width);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_OPTIONS_HELP_TEXT_H_

#ifndef OMPPROF_PROFILER_CLI_MANUAL_WRITE_MANUAL_H_
#define OMPPROF_PROFILER_CLI_MANUAL_WRITE_MANUAL_H_

#include <string>

namespace ompprof::cli {

// Writes the manual pages and the completions into `folder`, at the places of an installation: man/man1,
// bash-completion/completions, zsh/site-functions. False, after a line on stderr, if a file cannot be written.
bool WriteManual(const std::string& folder);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_MANUAL_WRITE_MANUAL_H_

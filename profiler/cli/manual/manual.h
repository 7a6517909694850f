// Manual pages and shell completions, made from the commands themselves: they say the same as --help. `write_manual`
// writes them for scripts/install.
#ifndef OMPPROF_PROFILER_CLI_MANUAL_MANUAL_H_
#define OMPPROF_PROFILER_CLI_MANUAL_MANUAL_H_

#include <CLI/CLI.hpp>
#include <string>

namespace ompprof::cli {

// The page of `command` for man(1), in section 1 and with the man macros. A null `command` means `app` itself.
std::string ManualPage(const CLI::App& app, const CLI::App* command);

// For /usr/share/bash-completion/completions/ompprof, and for _ompprof in a folder of zsh's fpath.
std::string BashCompletion(const CLI::App& app);
std::string ZshCompletion(const CLI::App& app);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_MANUAL_MANUAL_H_

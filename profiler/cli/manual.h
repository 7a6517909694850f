// Manual pages and shell completions, made from the commands themselves, so that they say what --help says.
// `write_manual` writes them for scripts/install.
#ifndef OMPPROF_PROFILER_CLI_MANUAL_H_
#define OMPPROF_PROFILER_CLI_MANUAL_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ompprof::cli {

// The page of `command`, or of `app` itself if that is null, for man(1): section 1, the man macros.
std::string ManualPage(const CLI::App& app, const CLI::App* command);

// For /usr/share/bash-completion/completions/ompprof, and a folder of zsh's fpath as _ompprof.
std::string BashCompletion(const CLI::App& app);
std::string ZshCompletion(const CLI::App& app);

// The commands that people are to know of, in the order of --help.
std::vector<const CLI::App*> Commands(const CLI::App& app);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_MANUAL_H_

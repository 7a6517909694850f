// Finds out whether a program's OpenMP runtime is older than OpenMP 5.0, and looks for its tool by an older symbol.
#ifndef OMPPROF_PROFILER_CLI_RECORD_OLDER_RUNTIME_H_
#define OMPPROF_PROFILER_CLI_RECORD_OLDER_RUNTIME_H_

#include <string>

namespace ompprof::cli {

// Whether a library of the program at `path` defines ompt_tool or ompt_initialize, for a tool to replace, and no
// library looks for ompt_start_tool. The program's dynamic loader lists the libraries, as for ldd; no code of the
// program runs. False for a script, and for a runtime that the program loads later.
bool HasOlderRuntime(const std::string& path);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_RECORD_OLDER_RUNTIME_H_

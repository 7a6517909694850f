// The profile that a running program is writing. `ompprof top` and the progress line of `record` look for it.
#ifndef OMPPROF_PROFILER_CLI_FILES_FIND_LOG_H_
#define OMPPROF_PROFILER_CLI_FILES_FIND_LOG_H_

#include <sys/types.h>

#include <string>

namespace ompprof::cli {

struct FoundLog {
  std::string path;  // to open; empty: the process writes no log, or this user may not see the log
  std::string name;  // for a person
};

// Looks at the files that the collector's thread of process `pid` has open.
FoundLog FindLog(pid_t pid);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_FILES_FIND_LOG_H_

// Finds a program in the same way as a shell, and tells whether the dynamic loader preloads a library into the program.
#ifndef OMPPROF_PROFILER_CLI_RECORD_PRELOAD_CHECK_H_
#define OMPPROF_PROFILER_CLI_RECORD_PRELOAD_CHECK_H_

#include <string>

namespace ompprof::cli {

struct FoundProgram {
  std::string path;
  int error = 0;  // errno: ENOENT, EACCES, ...; 0: it can be run
};

// The file that execvp would run for `name`.
FoundProgram FindProgram(const std::string& name);

// Why LD_PRELOAD has no effect on the program, or a bad effect: "the program is statically linked". Empty if the
// program can be recorded, or if the file cannot be read.
std::string WhyNotPreloadable(const std::string& path);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_RECORD_PRELOAD_CHECK_H_

// Copies the process's perf map into the log. The perf map, /tmp/perf-PID.map, is the text file in which JIT compilers
// and Python (-X perf) name the code that they generate: "ADDRESS SIZE NAME" lines (tools/perf/Documentation/
// jit-interface.txt of Linux). A later process with the same number would overwrite it. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_GENERATED_PERF_MAP_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_GENERATED_PERF_MAP_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "profiler/collect/write/generated/code_file.h"

namespace ompprof::collect {

class PerfMap {
 public:
  // Reads text that the process has added to its perf map since the last call, at most `size` bytes. 0: none, or no
  // file that this user's process has written since `start_unix_ns`, or kMostText bytes were read already.
  size_t ReadMore(pid_t pid, int64_t start_unix_ns, char* out, size_t size);

  // The text of half a million functions. More is left out.
  static constexpr uint64_t kMostText = 32 << 20;

  CodeFile file;

 private:
  uint64_t offset_ = 0;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_GENERATED_PERF_MAP_H_

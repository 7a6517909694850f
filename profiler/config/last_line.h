// The sentence about the profile at the end of a program that `ompprof record` started. The collector prints the
// sentence; for a program that a signal ended, `record` prints it. libc only.
#ifndef OMPPROF_PROFILER_CONFIG_LAST_LINE_H_
#define OMPPROF_PROFILER_CONFIG_LAST_LINE_H_

#include <stddef.h>

namespace ompprof::config {

// The profiles of a run.
struct Written {
  const char* path;  // of the program that `record` started
  size_t count = 1;  // with the profiles of processes that it started, in the same folder
  // Of several: the length of the first part of `path` that all of them have. Their names end in ".ompprof".
  size_t common = 0;
  bool is_rank = false;  // the path is rank 0's; the other ranks have profiles too
};

// "wrote run.ompprof; read it with: ompprof report run.ompprof"; of several processes, "wrote 3 profiles, run*.ompprof;
// read them with: ompprof report run*.ompprof". The path is shown relative to `folder` if it lies below. A shell takes
// the command as it stands. Characters that a terminal would obey become question marks.
// False: the sentence does not fit into `out`. Async-signal-safe.
bool LastLine(const Written& written, const char* folder, char* out, size_t size);

// The length of the first part that `path` and another file of its folder have in common, without the end ".ompprof",
// up to `common`. Between points, words count whole. `name` is that other file's name. Async-signal-safe.
size_t CommonPart(const char* path, const char* name, size_t common);

// Whether a footer's reason is an end of the process that the collector sees: it has then printed the sentence. Other
// reasons are "exec" and "control end". Async-signal-safe.
bool EndsProcess(const char* reason);

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_LAST_LINE_H_

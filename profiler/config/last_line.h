// The sentence about the profile at the end of a program that `ompprof record` started. The collector prints the
// sentence; for a program that a signal ended, `record` prints it. libc only.
#ifndef OMPPROF_PROFILER_CONFIG_LAST_LINE_H_
#define OMPPROF_PROFILER_CONFIG_LAST_LINE_H_

#include <stddef.h>

namespace ompprof::config {

// "wrote run.ompprof; read it with: ompprof report run.ompprof". `path` is shown relative to `folder` if it lies below.
// A shell takes the command as it stands. Characters that a terminal would obey become question marks.
// False: the sentence does not fit into `out`. Async-signal-safe.
bool LastLine(const char* path, const char* folder, char* out, size_t size);

// Whether a footer's reason is an end of the process that the collector sees: it has then printed the sentence. Other
// reasons are "exec" and "control end". Async-signal-safe.
bool EndsProcess(const char* reason);

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_LAST_LINE_H_

// Tells whether the dynamic loader of a program can preload our libraries. `ompprof record` asks before it becomes the
// program, and the collector asks before each exec. A wrong preload ends a program: musl's loader, for example, ends
// the program where a library needs glibc.
#ifndef OMPPROF_PROFILER_CONFIG_PRELOAD_FIT_H_
#define OMPPROF_PROFILER_CONFIG_PRELOAD_FIT_H_

#include <stdint.h>

namespace ompprof::config {

enum class PreloadFit : uint8_t {
  kFits,
  kUnknown,       // the file cannot be read, or is no program; to be treated as kFits
  kStatic,        // no loader reads LD_PRELOAD. The program's own children may fit
  kOtherMachine,  // another processor, or 32-bit code
  kOtherLoader,   // not glibc's
  kOldLoader,     // of a glibc older than our libraries need
};

// A system call without libc: the result, or -errno.
using SystemCall = long (*)(long number, long a, long b, long c, long d, long e, long f);

// Judges the file that an exec of `path` runs. A relative path begins at `folder` (a descriptor, or AT_FDCWD). A
// script's interpreter counts instead of the script. With `by_shell`, a file that the kernel cannot run is a script of
// /bin/sh, as for execvp. At most 200 system calls, usually nine. Async-signal-safe.
PreloadFit FitOfProgram(SystemCall call, int folder, const char* path, bool by_shell);

// The reason for the user: "the program is statically linked"; NULL if the program fits, or if nobody knows.
// Async-signal-safe.
const char* WhyNoPreload(PreloadFit fit);

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_PRELOAD_FIT_H_

// Tells OpenMP runtimes apart, by the name of the file, and by the version that a runtime gives to ompt_start_tool.
#ifndef OMPPROF_PROFILER_COLLECT_QUIRKS_RUNTIME_NAMES_H_
#define OMPPROF_PROFILER_COLLECT_QUIRKS_RUNTIME_NAMES_H_

#include <stdint.h>

namespace ompprof::collect {

enum class Runtime : uint8_t {
  kOther,    // none, or an unknown runtime
  kLibomp,   // LLVM's libomp, or Intel's libiomp5
  kLibgomp,  // GCC's, which has no OMPT
  kShim,     // libgomp_ompt, the profiler's own OMPT side of GCC's runtime
  kOffload,  // LLVM's libomptarget, or a plugin of it: no OMPT of its own
};

// Judges the last part of a path, with any suffix (.so, .so.5, .so.1). A NUL after `length` bytes is not necessary.
Runtime RuntimeInFile(const char* path, uint64_t length);
Runtime RuntimeInFile(const char* path);

// Whether the file is the shim that ompprof installs: libgomp_ompt.so without any suffix behind it.
bool IsInstalledShim(const char* path, uint64_t length);

// `version` is the argument of ompt_start_tool. kLibgomp: another shim in front of GCC's libgomp.
Runtime RuntimeOfVersion(const char* version);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_QUIRKS_RUNTIME_NAMES_H_

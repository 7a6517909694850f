// Which OpenMP runtime it is: by the name of its file, and by the version that it gives to ompt_start_tool.
#ifndef OMPPROF_PROFILER_COLLECT_QUIRKS_RUNTIME_NAMES_H_
#define OMPPROF_PROFILER_COLLECT_QUIRKS_RUNTIME_NAMES_H_

#include <stdint.h>

namespace ompprof::collect {

enum class Runtime : uint8_t {
  kOther,    // none, or an unknown one
  kLibomp,   // LLVM's libomp, or Intel's libiomp5
  kLibgomp,  // GCC's, which has no OMPT
  kShim,     // libgomp_ompt, the profiler's own OMPT side of GCC's
};

// By the last part of a path, which need not end with NUL after `length` bytes; any suffix (.so, .so.5, .so.1).
Runtime RuntimeInFile(const char* path, uint64_t length);
Runtime RuntimeInFile(const char* path);

// The file is the one that ompprof installs: libgomp_ompt.so and nothing behind that.
bool IsInstalledShim(const char* path, uint64_t length);

// `version` as ompt_start_tool gets it. kLibgomp: another shim in front of GCC's libgomp.
Runtime RuntimeOfVersion(const char* version);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_QUIRKS_RUNTIME_NAMES_H_

// The parts of the C library.
#ifndef OMPPROF_PROFILER_ANALYZE_SYSTEM_OBJECTS_H_
#define OMPPROF_PROFILER_ANALYZE_SYSTEM_OBJECTS_H_

#include <string>

namespace ompprof::analyze {

// Whether the object file at `path` belongs to the C library, or is the loader or the vDSO.
inline bool IsSystemObject(const std::string& path) {
  const std::string base = path.substr(path.rfind('/') + 1);
  for (const char* name : {"libc.so", "libc-", "libpthread", "libdl", "librt", "ld-linux", "ld-2", "[vdso]"}) {
    if (base.rfind(name, 0) == 0) return true;
  }
  return false;
}

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_SYSTEM_OBJECTS_H_

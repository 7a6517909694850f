// The C library's files, and those of other languages' run-time libraries, by their names.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_SYSTEM_OBJECTS_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_SYSTEM_OBJECTS_H_

#include <algorithm>
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

// Whether the object file is a run-time library of a language, which the program's functions call: libc, libm,
// libstdc++ and their like.
inline bool IsLanguageLibrary(const std::string& path) {
  const std::string base = path.substr(path.rfind('/') + 1);
  for (const char* name :
       {"libm.so", "libm-", "libmvec", "libstdc++", "libc++", "libgfortran", "libquadmath", "libgcc"}) {
    if (base.rfind(name, 0) == 0) return true;
  }
  return IsSystemObject(path);
}

// The name that programs use for a function of glibc: "brk" for "__GI___brk", "free" for "__libc_free", "int_free" for
// "_int_free", "memcpy" for "__memcpy_avx_unaligned".
inline std::string PlainName(const std::string& name) {
  size_t begin = name.rfind("__GI_", 0) == 0 ? 5 : 0;
  begin = std::min(name.find_first_not_of('_', begin), name.size());
  if (name.compare(begin, 5, "libc_") == 0) begin += 5;
  size_t end = name.find('.', begin);  // ".constprop.0"
  for (const char* processor : {"_sse2", "_sse4", "_ssse3", "_avx", "_evex", "_fma"})
    end = std::min(end, name.find(processor, begin));
  return name.substr(begin, end - begin);
}

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_SYSTEM_OBJECTS_H_

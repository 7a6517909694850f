#include "profiler/collect/quirks/runtime_names.h"

#include <string.h>

namespace ompprof::collect {
namespace {

struct FileName {
  const char* text;
  uint64_t length;

  bool BeginsWith(const char* beginning) const {
    const uint64_t size = strlen(beginning);
    return length >= size && memcmp(text, beginning, size) == 0;
  }
};

FileName FileNameOf(const char* path, uint64_t length) {
  uint64_t begin = length;
  while (begin > 0 && path[begin - 1] != '/') --begin;
  return {path + begin, length - begin};
}

}  // namespace

Runtime RuntimeInFile(const char* path, uint64_t length) {
  const FileName name = FileNameOf(path, length);
  if (name.BeginsWith("libgomp_ompt")) return Runtime::kShim;
  if (name.BeginsWith("libgomp.")) return Runtime::kLibgomp;
  if (name.BeginsWith("libomp.") || name.BeginsWith("libiomp5")) return Runtime::kLibomp;
  if (name.BeginsWith("libomptarget.")) return Runtime::kOffload;
  return Runtime::kOther;
}

Runtime RuntimeInFile(const char* path) { return RuntimeInFile(path, strlen(path)); }

bool IsInstalledShim(const char* path, uint64_t length) {
  constexpr char kShim[] = "libgomp_ompt.so";
  const FileName name = FileNameOf(path, length);
  return name.length == sizeof(kShim) - 1 && name.BeginsWith(kShim);
}

Runtime RuntimeOfVersion(const char* version) {
  if (strncmp(version, "libgomp_ompt ", 13) == 0) return Runtime::kShim;
  if (strstr(version, "libgomp") != nullptr) return Runtime::kLibgomp;
  if (strncmp(version, "LLVM", 4) == 0) return Runtime::kLibomp;
  return Runtime::kOther;
}

}  // namespace ompprof::collect

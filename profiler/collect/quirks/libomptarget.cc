#include "profiler/collect/quirks/libomptarget.h"

#include <dlfcn.h>
#include <string.h>

namespace ompprof::collect::libomptarget {
namespace {

// Whether the process has loaded an object by this name.
bool IsLoaded(const char* name) {
  void* object = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (object == nullptr) return false;
  dlclose(object);
  return true;
}

bool HasSymbol(const char* path, const char* symbol) {
  void* object = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (object == nullptr) return false;
  const bool has = dlsym(object, symbol) != nullptr;
  dlclose(object);
  return has;
}

}  // namespace

void CopyDeviceType(const char* type, char* copy, size_t size) {
  size_t length = 0;
  while (type != nullptr && type[length] > ' ' && type[length] <= '~' && length + 1 < size) {
    copy[length] = type[length];
    ++length;
  }
  if (type != nullptr && type[length] != '\0') length = 0;
  copy[length] = '\0';
}

Launches LaunchesOf(const char* type) {
  if (strcmp(type, "generic-64bit") == 0) return Launches::kOnHost;
  const bool is_gpu = strncmp(type, "sm_", 3) == 0 || strncmp(type, "gfx", 3) == 0;
  return is_gpu ? Launches::kReturnEarly : Launches::kWait;
}

bool IsImage(const char* name, uint32_t length) {
  constexpr char kImage[] = {'t', 'm', 'p', 'f', 'i', 'l', 'e', '_'};
  return length > sizeof kImage && __builtin_memcmp(name, kImage, sizeof kImage) == 0;
}

const char* WhyNoEvents(const char* path) {
  if (!HasSymbol(path, "ompt_libomptarget_connect")) return "its version has no OMPT (LLVM 17 and later have)";
  if (!IsLoaded("libomp.so"))
    return "it looks for OMPT in a file named libomp.so, and finds none: put a link of this name to the program's "
           "libomp.so.5 into a folder of LD_LIBRARY_PATH";
  return nullptr;
}

}  // namespace ompprof::collect::libomptarget

#include "runtime_shim/gomp/real.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

namespace gomp_ompt {

void* FindReal(const char* name, const char* version, const void*, bool* for_all) {
  void* found = version != nullptr ? dlvsym(RTLD_NEXT, name, version) : dlsym(RTLD_NEXT, name);
  *for_all = true;
  if (found == nullptr) {
    void* runtime = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (runtime != nullptr) found = dlsym(runtime, name);
  }
  if (found == nullptr) {
    dprintf(2, "symbol lookup error: undefined symbol: %s (libgomp_ompt found no OpenMP runtime that has it)\n", name);
    _exit(127);
  }
  return found;
}

}  // namespace gomp_ompt

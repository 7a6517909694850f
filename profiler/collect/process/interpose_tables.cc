// The functions of libgcc (or of LLVM's libunwind) by which a program makes the unwinding tables of generated code
// known. Exceptions need them, so each wrapper calls the real function, wherever it is.
#include <dlfcn.h>

#include "profiler/collect/base/exported.h"
#include "profiler/collect/base/own_work.h"
#include "profiler/collect/process/lifecycle.h"
#include "profiler/collect/unwind/registered_frames.h"
#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::collect {
namespace {

using Register = void(const void*);

// The library may have come with a library that was opened with RTLD_LOCAL. NULL: nobody has the function, and the
// program found it here.
Register* Find(const char* name) {
  if (void* next = dlsym(RTLD_NEXT, name)) return reinterpret_cast<Register*>(next);
  constexpr const char* kLibraries[] = {"libgcc_s.so.1", "libunwind.so.1"};
  for (const char* library : kLibraries) {
    void* handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    void* found = handle != nullptr ? dlsym(handle, name) : nullptr;
    if (handle != nullptr) dlclose(handle);
    if (found != nullptr) return reinterpret_cast<Register*>(found);
  }
  return nullptr;
}

}  // namespace
}  // namespace ompprof::collect

using namespace ompprof::collect;

OMPPROF_EXPORT void __register_frame(const void* begin) {
  if (Register* const real_register = Find("__register_frame")) real_register(begin);
  if (InSession()) AddRegisteredFrames(begin);
}

OMPPROF_EXPORT void __deregister_frame(const void* begin) {
  if (InSession()) {
    RemoveRegisteredFrames(begin);
    InvalidateUnwindCaches();
  }
  if (Register* const real_deregister = Find("__deregister_frame")) real_deregister(begin);
}

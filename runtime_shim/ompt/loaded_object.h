// Finds the loaded object (program or library) of an address, and a handle for it. Both sides use this glibc part.
#ifndef RUNTIME_SHIM_OMPT_LOADED_OBJECT_H_
#define RUNTIME_SHIM_OMPT_LOADED_OBJECT_H_

#include <dlfcn.h>
#include <link.h>

namespace gomp_ompt {

#ifndef DLFO_EH_SEGMENT_TYPE
// The struct of glibc 2.35 on x86-64. Headers of older versions lack it.
struct dl_find_object {
  unsigned long long dlfo_flags;
  void* dlfo_map_start;
  void* dlfo_map_end;
  link_map* dlfo_link_map;
  void* dlfo_eh_frame;
  unsigned long long dlfo_reserved[7];
};
#endif

// Whether FindObject takes no lock, and finds tables of unwinding: glibc 2.35 and later.
bool FindsWithoutLock();

// False for code that belongs to no object. Takes no lock with glibc 2.35 and later; older versions take the loader's
// lock.
bool FindObject(const void* address, dl_find_object* object);

// Whether the address is in the shim.
bool IsOurs(const void* address);

// A reference to the object, which the caller closes or keeps. NULL for an object without a name (the program, the
// vDSO). Waits for the loader's lock.
void* Handle(const link_map* object);

// True for LLVM's libomp: it exports a default ompt_start_tool and most of libgomp's functions.
bool IsLlvmRuntime(void* handle);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_LOADED_OBJECT_H_

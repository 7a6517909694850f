// The loaded objects (the program, libraries, the vDSO) by their addresses.
//
// glibc 2.35 and later answer with _dl_find_object. For older versions, this file keeps a table of its own: dlopen and
// the loader's lists take a lock, which a signal handler must not do.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_LOADED_OBJECTS_H_
#define OMPPROF_PROFILER_COLLECT_BASE_LOADED_OBJECTS_H_

#include <link.h>
#include <stdint.h>

namespace ompprof::collect {

// [start, end): the whole object, or one of its parts if there are holes between its segments.
struct LoadedObject {
  uintptr_t start = 0;
  uintptr_t end = 0;
  const link_map* map = nullptr;       // NULL in a namespace of dlmopen, on an older glibc
  const void* eh_frame_hdr = nullptr;  // PT_GNU_EH_FRAME; NULL if the object has none
};

// Sets `object` to the one that contains `address`. False for heap, stacks, generated and wild addresses. Takes about
// 16 ns. Async-signal-safe. At the return, another thread may have unloaded the object.
bool FindLoadedObject(uintptr_t address, LoadedObject* object);

// Brings the table up to date; nothing where glibc has _dl_find_object. Not in the handler: takes the loader's lock.
// Until then, libraries that the program has opened since the last call are not found.
void RefreshLoadedObjects();

// For tests: uses the table from now on, as an older glibc does.
void UseOwnTableOfObjects();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_LOADED_OBJECTS_H_

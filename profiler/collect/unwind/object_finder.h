// Finds the loaded object of an address, and that object's unwind table.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_OBJECT_FINDER_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_OBJECT_FINDER_H_

#include <stdint.h>

namespace ompprof::collect {

// A loaded object in memory: the program, a shared library or the vDSO.
struct Object {
  uintptr_t start;  // [start, end): the place of its CFI; every pointer of its CFI must stay inside
  uintptr_t end;
  const uint8_t* eh_frame_hdr;  // PT_GNU_EH_FRAME; NULL if the object has none
  bool permanent = false;       // never unloaded: its tables may be loaded plainly, others are copied with checks
};

// Sets `object` to the object that contains `address`. False for heap, stacks, JIT code and wild addresses. About 16
// ns. Async-signal-safe (loaded_objects.h). At the function's return, another thread may already have unloaded the
// object, unless the object is permanent.
bool FindObject(uintptr_t address, Object* object);

// Whether the object is the dynamic loader. Async-signal-safe.
bool IsLoader(const Object& object);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_OBJECT_FINDER_H_

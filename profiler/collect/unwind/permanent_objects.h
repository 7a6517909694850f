// The loaded objects that stay as long as the process. A walk may load their memory plainly. Another thread may unmap
// any other object in the middle of a walk.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_PERMANENT_OBJECTS_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_PERMANENT_OBJECTS_H_

#include <stddef.h>
#include <stdint.h>

namespace ompprof::collect {

struct PermanentObject {
  uintptr_t start;  // [start, end): its mapping, from _dl_find_object
  uintptr_t end;
  uintptr_t code_low;  // [code_low, code_high): a part without holes, mapped readable and executable
  uintptr_t code_high;
};

constexpr size_t kMaxPermanentObjects = 512;

// Sets the permanent objects, in any order. Objects beyond the first 512 are treated like objects that may be unloaded.
// Before this call, no object is permanent. Not in the handler, and only while no thread walks.
void SetPermanentObjects(const PermanentObject* objects, size_t count);

// Whether `address` lies in a permanent object. Async-signal-safe.
bool IsPermanent(uintptr_t address);

// Copies code bytes, with plain loads where this is safe and with a checked read elsewhere. False if the bytes cannot
// be read. Async-signal-safe.
bool ReadCode(uintptr_t address, void* destination, size_t size);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_PERMANENT_OBJECTS_H_

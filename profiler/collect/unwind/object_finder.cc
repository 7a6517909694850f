#include "profiler/collect/unwind/object_finder.h"

#include <dlfcn.h>
#include <link.h>

#include "profiler/collect/unwind/permanent_objects.h"

// Weak, so that the collector also loads on an older libc. CfiUnwinder describes that case.
#pragma weak _dl_find_object

namespace ompprof::collect {

bool CanFindObjects() { return &_dl_find_object != nullptr; }

bool FindObject(uintptr_t address, Object* object) {
  struct dl_find_object found;
  if (!CanFindObjects() || _dl_find_object(reinterpret_cast<void*>(address), &found) != 0) return false;
  object->start = reinterpret_cast<uintptr_t>(found.dlfo_map_start);
  object->end = reinterpret_cast<uintptr_t>(found.dlfo_map_end);
  object->eh_frame_hdr = static_cast<const uint8_t*>(found.dlfo_eh_frame);
  object->permanent = IsPermanent(address);
  // If an object has a hole between its segments, glibc knows each segment separately. The tables lie in another
  // segment than the code.
  const auto tables = reinterpret_cast<uintptr_t>(found.dlfo_eh_frame);
  if (tables != 0 && (tables < object->start || tables >= object->end) &&
      _dl_find_object(found.dlfo_eh_frame, &found) == 0) {
    object->start = reinterpret_cast<uintptr_t>(found.dlfo_map_start);
    object->end = reinterpret_cast<uintptr_t>(found.dlfo_map_end);
  }
  return true;
}

bool IsLoader(const Object& object) { return object.start <= _r_debug.r_ldbase && _r_debug.r_ldbase < object.end; }

}  // namespace ompprof::collect

#include "profiler/collect/unwind/object_finder.h"

#include <link.h>

#include "profiler/collect/base/loaded_objects.h"
#include "profiler/collect/unwind/permanent_objects.h"

namespace ompprof::collect {

bool FindObject(uintptr_t address, Object* object) {
  LoadedObject found;
  if (!FindLoadedObject(address, &found)) return false;
  object->start = found.start;
  object->end = found.end;
  object->eh_frame_hdr = static_cast<const uint8_t*>(found.eh_frame_hdr);
  object->permanent = IsPermanent(address);
  // If an object has a hole between its segments, glibc knows each segment separately. The tables lie in another
  // segment than the code.
  const auto tables = reinterpret_cast<uintptr_t>(found.eh_frame_hdr);
  if (tables != 0 && (tables < object->start || tables >= object->end) && FindLoadedObject(tables, &found)) {
    object->start = found.start;
    object->end = found.end;
  }
  return true;
}

bool IsLoader(const Object& object) { return object.start <= _r_debug.r_ldbase && _r_debug.r_ldbase < object.end; }

}  // namespace ompprof::collect

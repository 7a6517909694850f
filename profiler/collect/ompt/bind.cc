#include "profiler/collect/ompt/bind.h"

#include <sys/auxv.h>

#include "profiler/collect/base/loaded_objects.h"

namespace ompprof::collect {

bool IsInProgram(uintptr_t address) {
  LoadedObject object;
  return FindLoadedObject(address, &object) && getauxval(AT_ENTRY) - object.start < object.end - object.start;
}

}  // namespace ompprof::collect

#include "profiler/collect/ompt/bind.h"

#include <dlfcn.h>
#include <sys/auxv.h>

namespace ompprof::collect {

bool IsInProgram(uintptr_t address) {
  dl_find_object object;
  if (_dl_find_object(reinterpret_cast<void*>(address), &object) != 0) return false;
  const auto low = reinterpret_cast<uintptr_t>(object.dlfo_map_start);
  return getauxval(AT_ENTRY) - low < reinterpret_cast<uintptr_t>(object.dlfo_map_end) - low;
}

}  // namespace ompprof::collect

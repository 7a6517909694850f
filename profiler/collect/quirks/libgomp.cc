#include "profiler/collect/quirks/libgomp.h"

#include <link.h>

#include "profiler/collect/quirks/runtime_names.h"

namespace ompprof::collect::libgomp {

uintptr_t Code() {
  uintptr_t found = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        if (RuntimeInFile(info->dlpi_name) != Runtime::kLibgomp) return 0;
        *static_cast<uintptr_t*>(out) = reinterpret_cast<uintptr_t>(info->dlpi_addr + info->dlpi_phdr[0].p_vaddr);
        return 1;
      },
      &found);
  return found;
}

}  // namespace ompprof::collect::libgomp

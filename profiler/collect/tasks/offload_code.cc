#include "profiler/collect/tasks/offload_code.h"

#include <link.h>

#include "profiler/collect/base/loaded_objects.h"
#include "profiler/collect/quirks/libomptarget.h"
#include "profiler/collect/quirks/runtime_names.h"

namespace ompprof::collect {
namespace {

int AddIfOffload(dl_phdr_info* info, size_t, void* code) {
  if (RuntimeInFile(info->dlpi_name) != Runtime::kOffload) return 0;
  uintptr_t low = UINTPTR_MAX;
  uintptr_t high = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    if (begin < low) low = begin;
    if (begin + segment.p_memsz > high) high = begin + segment.p_memsz;
  }
  if (high != 0) static_cast<RuntimeCode*>(code)->Add(low, high, RuntimeCode::Calls::kOffloaded);
  return 0;
}

}  // namespace

void AddOffloadCode(RuntimeCode* code) { dl_iterate_phdr(AddIfOffload, code); }

bool IsOffloadedCode(uintptr_t pc) {
  constexpr uint32_t kMostPath = 4096;
  LoadedObject object;
  if (!FindLoadedObject(pc, &object) || object.map == nullptr) return false;
  const char* path = object.map->l_name;
  if (path == nullptr) return false;
  uint32_t name = 0;
  uint32_t end = 0;
  for (; end < kMostPath && path[end] != '\0'; ++end) {
    if (path[end] == '/') name = end + 1;
  }
  return libomptarget::IsImage(path + name, end - name);
}

}  // namespace ompprof::collect

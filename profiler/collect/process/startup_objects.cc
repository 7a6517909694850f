#include "profiler/collect/process/startup_objects.h"

#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/base/own_code.h"
#include "profiler/collect/unwind/caller_guess.h"
#include "profiler/collect/unwind/permanent_objects.h"
#include "profiler/collect/unwind/table_maker.h"

namespace ompprof::collect {
namespace {

constexpr uintptr_t kPage = 4096;
constexpr uint32_t kMaxNeeded = 8192;

struct Found {
  PermanentObject object;
  uintptr_t load_bias;
  const char* path;
  uint64_t soname;     // hash; 0: none
  uint64_t file_name;  // hash, for objects without a soname
  uint32_t first_needed;
  uint32_t needed_count;
  bool stays;
};

// The loaded objects in the loader's order: objects from the program's start come before all objects opened later.
struct Objects {
  uint32_t count;
  uint32_t needed_count;
  Found found[kMaxPermanentObjects];
  uint64_t needed[kMaxNeeded];  // hashes of names; the names of one object are together
  PermanentObject permanent[kMaxPermanentObjects];
};

// FNV-1a, 64 bits.
uint64_t HashOf(const char* name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (; *name != '\0'; ++name) hash = (hash ^ static_cast<uint8_t>(*name)) * 0x100000001b3;
  return hash;
}

const char* FileName(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

void ReadSegments(const dl_phdr_info& info, Found* found, const ElfW(Dyn) * *dynamic) {
  PermanentObject& object = found->object;
  object.start = UINTPTR_MAX;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    const uintptr_t address = info.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_DYNAMIC) *dynamic = reinterpret_cast<const ElfW(Dyn)*>(address);
    if (segment.p_type != PT_LOAD) continue;
    const uintptr_t start = address & ~(kPage - 1);
    const uintptr_t end = address + segment.p_memsz;
    if (start < object.start) object.start = start;
    if (end > object.end) object.end = end;
    const bool readable_code = (segment.p_flags & (PF_R | PF_X)) == (PF_R | PF_X);
    if (readable_code && object.code_high == 0) {
      object.code_low = address;
      object.code_high = address + segment.p_filesz;
    }
  }
}

void ReadNames(const ElfW(Dyn) * dynamic, uintptr_t load_address, Objects* objects, Found* found) {
  uintptr_t strings = 0;
  for (const ElfW(Dyn)* entry = dynamic; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
  }
  if (strings == 0) return;
  if (strings < load_address) strings += load_address;  // the loader has not relocated it
  const auto text = [&](const ElfW(Dyn) * entry) { return reinterpret_cast<const char*>(strings + entry->d_un.d_val); };
  for (const ElfW(Dyn)* entry = dynamic; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SONAME) found->soname = HashOf(text(entry));
    if (entry->d_tag == DT_FLAGS_1 && (entry->d_un.d_val & DF_1_NODELETE) != 0) found->stays = true;
    if (entry->d_tag == DT_NEEDED && objects->needed_count < kMaxNeeded) {
      objects->needed[objects->needed_count++] = HashOf(FileName(text(entry)));
      ++found->needed_count;
    }
  }
}

// Runs under the loader's lock, so that no object goes meanwhile.
int Collect(dl_phdr_info* info, size_t, void* out) {
  auto* objects = static_cast<Objects*>(out);
  if (objects->count == kMaxPermanentObjects) return 1;
  Found* found = &objects->found[objects->count];
  found->first_needed = objects->needed_count;
  const ElfW(Dyn)* dynamic = nullptr;
  ReadSegments(*info, found, &dynamic);
  found->file_name = HashOf(FileName(info->dlpi_name));
  found->load_bias = info->dlpi_addr;
  found->path = objects->count == 0 ? "/proc/self/exe" : info->dlpi_name;  // the first is the executable
  const bool vdso = found->object.start == getauxval(AT_SYSINFO_EHDR);
  if (dynamic != nullptr && !vdso) ReadNames(dynamic, info->dlpi_addr, objects, found);
  const auto self = reinterpret_cast<uintptr_t>(&NotePermanentObjects);
  const bool is_self = self >= found->object.start && self < found->object.end;
  if (objects->count == 0 || vdso || is_self) found->stays = true;
  ++objects->count;
  return 0;
}

// The first object of that name: a later object with the same name was opened by its path.
Found* Named(Objects* objects, uint64_t name) {
  for (uint32_t i = 0; i < objects->count; ++i) {
    Found& found = objects->found[i];
    if ((found.soname != 0 ? found.soname : found.file_name) == name) return &found;
  }
  return nullptr;
}

// Everything that a permanent object needs is permanent too. True: this step added some objects.
bool Spread(Objects* objects) {
  bool added = false;
  for (uint32_t i = 0; i < objects->count; ++i) {
    const Found& from = objects->found[i];
    for (uint32_t k = 0; from.stays && k < from.needed_count; ++k) {
      Found* needed = Named(objects, objects->needed[from.first_needed + k]);
      if (needed == nullptr || needed->stays) continue;
      needed->stays = true;
      added = true;
    }
  }
  return added;
}

}  // namespace

void NotePermanentObjects() {
  auto* objects = static_cast<Objects*>(MapFixed(sizeof(Objects)));
  if (objects == nullptr) return;
  dl_iterate_phdr(Collect, objects);
  while (Spread(objects)) {
  }
  size_t count = 0;
  for (uint32_t i = 0; i < objects->count; ++i) {
    if (objects->found[i].stays) objects->permanent[count++] = objects->found[i].object;
  }
  SetPermanentObjects(objects->permanent, count);
  SetOwnCode(OwnCodeBegin(), OwnCodeEnd());
  for (uint32_t i = 0; i < objects->count; ++i) {
    const Found& found = objects->found[i];
    // The names of other objects may be gone by now. The writer makes their tables.
    if (found.stays) MakeTableIfNone({found.object.start, found.object.end, found.load_bias, found.path});
  }
  UnmapFixed(objects, sizeof(Objects));
}

}  // namespace ompprof::collect

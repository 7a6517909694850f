#include "runtime_shim/gomp/plugin_loading.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime_shim/ompt/loaded_object.h"

namespace gomp_ompt {
namespace {

constexpr char kPrefix[] = "GOMP_OFFLOAD_";
constexpr size_t kPrefixLength = sizeof(kPrefix) - 1;

// Stands in libgomp's slot for dlsym.
void* LookUpForLibgomp(void* handle, const char* name) {
  if (strncmp(name, kPrefix, kPrefixLength) != 0) return dlsym(handle, name);
  void* found = dlsym(handle, name);
  return found != nullptr ? ReplacePluginFunction(handle, name + kPrefixLength, found) : nullptr;
}

// The object's tables for the loader.
struct Tables {
  const ElfW(Sym) * symbols;
  const char* strings;
  const ElfW(Rela) * jumps;
  size_t jumps_size;
  const ElfW(Rela) * others;
  size_t others_size;
};

Tables TablesOf(const link_map* object) {
  Tables tables = {};
  for (const ElfW(Dyn)* entry = object->l_ld; entry->d_tag != DT_NULL; entry++) {
    const ElfW(Addr) address = entry->d_un.d_ptr;
    switch (entry->d_tag) {
      case DT_SYMTAB:
        tables.symbols = reinterpret_cast<const ElfW(Sym)*>(address);
        break;
      case DT_STRTAB:
        tables.strings = reinterpret_cast<const char*>(address);
        break;
      case DT_JMPREL:
        tables.jumps = reinterpret_cast<const ElfW(Rela)*>(address);
        break;
      case DT_PLTRELSZ:
        tables.jumps_size = entry->d_un.d_val;
        break;
      case DT_RELA:
        tables.others = reinterpret_cast<const ElfW(Rela)*>(address);
        break;
      case DT_RELASZ:
        tables.others_size = entry->d_un.d_val;
        break;
      default:
        break;
    }
  }
  return tables;
}

// The place within the object that has the address of dlsym; NULL if there is none.
void** FindSlot(const link_map* object, const Tables& tables, const ElfW(Rela) * entries, size_t size) {
  if (entries == nullptr || tables.symbols == nullptr || tables.strings == nullptr) return nullptr;
  for (size_t i = 0; i < size / sizeof(ElfW(Rela)); i++) {
    const auto type = ELF64_R_TYPE(entries[i].r_info);
    if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
    const char* name = tables.strings + tables.symbols[ELF64_R_SYM(entries[i].r_info)].st_name;
    if (strcmp(name, "dlsym") == 0) return reinterpret_cast<void**>(object->l_addr + entries[i].r_offset);
  }
  return nullptr;
}

// The part of the object that the loader has made read-only again. A library that is linked with -z now has its slots
// there.
struct ReadOnly {
  uintptr_t begin, end;
};

ReadOnly ReadOnlyPartOf(const link_map* object) {
  struct Search {
    const link_map* object;
    ReadOnly found;
  } search = {object, {0, 0}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* argument) {
        auto& asked = *static_cast<Search*>(argument);
        if (info->dlpi_addr != asked.object->l_addr || strcmp(info->dlpi_name, asked.object->l_name) != 0) return 0;
        for (unsigned i = 0; i < info->dlpi_phnum; i++) {
          const ElfW(Phdr)& part = info->dlpi_phdr[i];
          if (part.p_type != PT_GNU_RELRO) continue;
          asked.found = {info->dlpi_addr + part.p_vaddr, info->dlpi_addr + part.p_vaddr + part.p_memsz};
        }
        return 1;
      },
      &search);
  return search.found;
}

bool Write(void** slot, void* value, const ReadOnly& read_only) {
  const auto address = reinterpret_cast<uintptr_t>(slot);
  const auto page_size = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  // The loader protects whole pages, from the beginning of the part down to its last page boundary.
  const bool is_read_only =
      address >= read_only.begin / page_size * page_size && address < read_only.end / page_size * page_size;
  void* page = reinterpret_cast<void*>(address / page_size * page_size);
  if (is_read_only && mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) return false;
  __atomic_store_n(slot, value, __ATOMIC_RELEASE);
  if (is_read_only) mprotect(page, page_size, PROT_READ);
  return true;
}

}  // namespace

bool WatchPluginLoading(const void* function) {
  dl_find_object found;
  if (function == nullptr || !FindObject(function, &found)) return false;
  const link_map* object = found.dlfo_link_map;
  const Tables tables = TablesOf(object);
  void** slot = FindSlot(object, tables, tables.jumps, tables.jumps_size);
  if (slot == nullptr) slot = FindSlot(object, tables, tables.others, tables.others_size);
  if (slot == nullptr) return false;
  void* wanted = reinterpret_cast<void*>(&LookUpForLibgomp);
  return *slot == wanted || Write(slot, wanted, ReadOnlyPartOf(object));
}

}  // namespace gomp_ompt

#include "profiler/collect/write/tables/module_table.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/collect/base/loaded_objects.h"
#include "profiler/collect/quirks/runtime_names.h"
#include "profiler/collect/unwind/safe_read.h"
#include "profiler/collect/unwind/table_maker.h"
#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::collect {
namespace {

// Another thread may unmap this memory at the same time: the result is then false instead of a fault.
bool Read(uint64_t address, void* out, size_t size) { return SafeRead(address, out, size); }

bool ReadText(uint64_t address, char* out, size_t size) {
  constexpr size_t kPiece = 256;
  for (size_t at = 0; at + 1 < size;) {
    const size_t left = size - 1 - at;
    const size_t got = SafeReadSome(address + at, out + at, left < kPiece ? left : kPiece);
    if (got == 0) return false;
    if (memchr(out + at, '\0', got) != nullptr) return true;
    at += got;
  }
  return false;
}

void ReadBuildId(const ElfW(Phdr) & note, uint64_t bias, Module* module) {
  alignas(4) uint8_t bytes[1024];
  const size_t size = note.p_memsz < sizeof(bytes) ? note.p_memsz : sizeof(bytes);
  if (!Read(bias + note.p_vaddr, bytes, size)) return;
  size_t at = 0;
  while (at + sizeof(ElfW(Nhdr)) <= size) {
    ElfW(Nhdr) header;
    memcpy(&header, bytes + at, sizeof(header));
    const size_t name = at + sizeof(header);
    const size_t description = name + ((header.n_namesz + 3ul) & ~3ul);
    if (description + header.n_descsz > size) return;
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && memcmp(bytes + name, "GNU", 4) == 0 &&
        header.n_descsz <= sizeof(module->build_id)) {
      memcpy(module->build_id, bytes + description, header.n_descsz);
      module->build_id_size = header.n_descsz;
      return;
    }
    at = description + ((header.n_descsz + 3ul) & ~3ul);
  }
}

bool ReadElfHeader(uintptr_t address, ElfW(Ehdr) * header) {
  return Read(address, header, sizeof(*header)) && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0;
}

// Finds the object's ELF header. Usually the header lies at the object's beginning. But for an object with a hole
// between its segments, glibc (2.36) names only the segment of the address.
uintptr_t FindElfHeader(const Module& module, bool is_program, ElfW(Ehdr) * header) {
  const uintptr_t candidates[] = {module.found_low, static_cast<uintptr_t>(module.load_bias),
                                  is_program ? static_cast<uintptr_t>(getauxval(AT_PHDR)) & ~uintptr_t{0xfff} : 0};
  for (const uintptr_t candidate : candidates) {
    if (candidate != 0 && ReadElfHeader(candidate, header)) return candidate;
  }
  return 0;
}

void ReadProgramHeaders(bool is_program, Module* module) {
  ElfW(Ehdr) elf;
  const uintptr_t base = FindElfHeader(*module, is_program, &elf);
  if (base == 0) return;
  for (unsigned i = 0; i < elf.e_phnum && i < 64; ++i) {
    ElfW(Phdr) header;
    if (!Read(base + elf.e_phoff + i * elf.e_phentsize, &header, sizeof(header))) return;
    if (header.p_type == PT_LOAD && module->segment_count < Module::kMaxSegments) {
      module->segments[module->segment_count++] = {header.p_vaddr, header.p_memsz, header.p_offset, header.p_flags};
      const uintptr_t low = module->load_bias + header.p_vaddr;
      if (low < module->low) module->low = low;
      if (low + header.p_memsz > module->high) module->high = low + header.p_memsz;
    }
    if (header.p_type == PT_NOTE && module->build_id_size == 0) ReadBuildId(header, module->load_bias, module);
  }
}

}  // namespace

Module* ModuleTable::At(uintptr_t address, uint32_t epoch) {
  if (last_ != nullptr && address >= last_->low && address < last_->high && last_->unloaded_epoch == 0) return last_;
  for (uint32_t i = 0; i < size_; ++i) {
    Module* module = modules_[i];
    if (address >= module->low && address < module->high && module->unloaded_epoch == 0) return last_ = module;
  }
  return Load(address, epoch);
}

void ModuleTable::Expect(uintptr_t address) {
  if (address == 0) {
    expected_.low = expected_.high = 0;
  } else if (address < expected_.low || address >= expected_.high) {
    expected_ = {};
    Describe(address, &expected_);
  }
}

Module* ModuleTable::Load(uintptr_t address, uint32_t epoch) {
  const bool expected = address >= expected_.low && address < expected_.high;
  LoadedObject found;
  // Code that a program generates is in no module, and may be in very many places.
  if (size_ == kMaxModules || !(expected || FindLoadedObject(address, &found))) return nullptr;
  auto* module = static_cast<Module*>(MapFixed(sizeof(Module)));
  if (module == nullptr) return nullptr;
  if (!(Describe(address, module) || expected)) {
    UnmapFixed(module, sizeof(Module));
    return nullptr;
  }
  if (expected && module->high == 0) {
    *module = expected_;
    expected_.low = expected_.high = 0;
  }
  module->loaded_epoch = epoch;
  module->id = size_ + 1;
  modules_[size_++] = module;
  if (MakeTableIfNone({module->low, module->high, module->load_bias, module->path})) InvalidateUnwindCaches();
  return last_ = module;
}

bool ModuleTable::Describe(uintptr_t address, Module* module) const {
  LoadedObject found;
  if (!FindLoadedObject(address, &found)) return false;
  module->low = module->found_low = found.start;
  module->high = module->found_high = found.end;
  module->link_map = found.map;
  link_map map;
  if (Read(reinterpret_cast<uint64_t>(found.map), &map, sizeof(map))) {
    module->load_bias = map.l_addr;
    if (!ReadText(reinterpret_cast<uint64_t>(map.l_name), module->path, sizeof(module->path))) module->path[0] = '\0';
  }
  const bool is_program = module->path[0] == '\0';
  if (module->low == getauxval(AT_SYSINFO_EHDR)) {
    strcpy(module->path, "[vdso]");
  } else if (module->path[0] == '\0') {
    strncpy(module->path, executable_, sizeof(module->path) - 1);
  } else if (module->path[0] != '/') {
    // The name as given to the loader, relative to the working directory.
    char name[PATH_MAX];
    strcpy(name, module->path);
    const long length = RawSyscall(SYS_getcwd, reinterpret_cast<long>(module->path), sizeof(module->path));
    if (length > 0 && static_cast<size_t>(length) + strlen(name) < sizeof(module->path)) {
      module->path[length - 1] = '/';
      strcpy(module->path + length, name);
    } else {
      strcpy(module->path, name);
    }
  }
  ReadProgramHeaders(is_program, module);
  // The shim may be loaded although no runtime needs it.
  module->profilers_own = IsInstalledShim(module->path, strlen(module->path));
  return true;
}

bool ModuleTable::Validate(uint32_t next_epoch) {
  bool gone = false;
  for (uint32_t i = 0; i < size_; ++i) {
    Module* module = modules_[i];
    if (module->unloaded_epoch != 0) continue;
    LoadedObject found;
    if (FindLoadedObject(module->found_low, &found) && found.map == module->link_map && found.end == module->found_high)
      continue;
    module->unloaded_epoch = next_epoch;
    module->written = false;
    gone = true;
  }
  return gone;
}

}  // namespace ompprof::collect

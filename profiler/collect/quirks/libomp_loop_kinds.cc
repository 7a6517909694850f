#include "profiler/collect/quirks/libomp_loop_kinds.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#include "profiler/collect/base/file_reader.h"
#include "profiler/collect/unwind/safe_read.h"

namespace ompprof::collect::libomp {
namespace {

// Prefixes of the functions that a static loop calls. The first serves worksharing loops and sections, the second
// serves distribute with such a loop in it.
constexpr char kLoop[] = "__kmpc_for_static_init_";
constexpr char kDistributedLoop[] = "__kmpc_dist_for_static_init_";
// The prefix of LLVM's Fortran library.
constexpr char kFlang[] = "_FortranA";

// ident_t of LLVM's runtime (openmp/runtime/src/kmp.h).
struct Ident {
  int32_t reserved_1;
  int32_t flags;
  int32_t reserved_2;
  int32_t reserved_3;
  const char* psource;  // ";file;function;line;column;;"
};
constexpr int32_t kFromCompiler = 0x2;  // KMP_IDENT_KMPC
constexpr int32_t kKinds = 0xe00;       // KMP_IDENT_WORK_LOOP, _SECTIONS, _DISTRIBUTE

struct Relocations {
  const ElfW(Rela) * entries = nullptr;
  size_t bytes = 0;
};

struct Dynamic {
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
  Relocations data;
  Relocations calls;
};

Dynamic ReadDynamic(const dl_phdr_info& info, const ElfW(Dyn) * entry) {
  Dynamic result;
  for (; entry->d_tag != DT_NULL; ++entry) {
    uintptr_t address = entry->d_un.d_ptr;
    if (address < info.dlpi_addr) address += info.dlpi_addr;  // the loader has not relocated it
    if (entry->d_tag == DT_SYMTAB) result.symbols = reinterpret_cast<const ElfW(Sym)*>(address);
    if (entry->d_tag == DT_STRTAB) result.strings = reinterpret_cast<const char*>(address);
    if (entry->d_tag == DT_RELA) result.data.entries = reinterpret_cast<const ElfW(Rela)*>(address);
    if (entry->d_tag == DT_RELASZ) result.data.bytes = entry->d_un.d_val;
    if (entry->d_tag == DT_JMPREL) result.calls.entries = reinterpret_cast<const ElfW(Rela)*>(address);
    if (entry->d_tag == DT_PLTRELSZ) result.calls.bytes = entry->d_un.d_val;
  }
  return result;
}

bool BeginsWith(const char* text, const char* start) { return strncmp(text, start, strlen(start)) == 0; }

bool Readable(const dl_phdr_info& info, uintptr_t address) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_R) != 0 &&
        address - (info.dlpi_addr + segment.p_vaddr) < segment.p_memsz)
      return true;
  }
  return false;
}

// Constants with pointers in them lie in the part that the loader makes read-only after relocation.
OMPPROF_NO_SANITIZE bool AllWithoutKind(const dl_phdr_info& info, const ElfW(Phdr) & constants) {
  const uintptr_t begin = (info.dlpi_addr + constants.p_vaddr + 7) & ~uintptr_t{7};
  const uintptr_t end = info.dlpi_addr + constants.p_vaddr + constants.p_memsz;
  bool found = false;
  for (uintptr_t at = begin; at + sizeof(Ident) <= end; at += 8) {
    const auto* ident = reinterpret_cast<const Ident*>(at);
    if (ident->reserved_1 != 0 || ident->reserved_2 != 0 || (ident->flags & kFromCompiler) == 0) continue;
    if (!Readable(info, reinterpret_cast<uintptr_t>(ident->psource)) || *ident->psource != ';') continue;
    if ((ident->flags & kKinds) != 0) return false;
    found = true;
  }
  return found;
}

// The names that an object takes from other objects.
struct Imports {
  bool loops = false;
  bool flang = false;
};

// The search goes through relocations, because the loader's tables do not give the number of symbols.
void AddImports(const Dynamic& linked, const Relocations& relocations, Imports* imports) {
  if (relocations.entries == nullptr) return;
  for (size_t i = 0; i < relocations.bytes / sizeof(ElfW(Rela)); ++i) {
    const uint64_t symbol = ELF64_R_SYM(relocations.entries[i].r_info);
    if (symbol == 0 || linked.symbols[symbol].st_shndx != SHN_UNDEF) continue;
    const char* name = linked.strings + linked.symbols[symbol].st_name;
    imports->loops |= BeginsWith(name, kLoop) || BeginsWith(name, kDistributedLoop);
    imports->flang |= BeginsWith(name, kFlang);
  }
}

// Whether the text is in [offset, offset + size) of the file.
bool Contains(const FileReader& file, uint64_t offset, uint64_t size, const char* text) {
  const size_t length = strlen(text);
  char part[8192];
  size_t kept = 0;  // bytes of the previous part: the text may lie across both
  while (size > 0) {
    const size_t wanted = sizeof part - kept < size ? sizeof part - kept : size;
    const size_t got = file.ReadSome(offset, part + kept, wanted);
    if (got == 0) return false;
    const size_t filled = kept + got;
    if (memmem(part, filled, text, length) != nullptr) return true;
    kept = filled < length - 1 ? filled : length - 1;
    memmove(part, part + filled - kept, kept);
    offset += got;
    size -= got;
  }
  return false;
}

// Whether the file's symbols, which the loader does not see, name LLVM's Fortran library. If the library is linked
// statically, the loader's symbols do not show it.
bool LinkedWithFlang(const char* path) {
  const FileReader file(path);
  ElfW(Ehdr) header;
  if (!file.Read(0, &header) || header.e_shentsize != sizeof(ElfW(Shdr))) return false;
  for (uint32_t i = 0; i < header.e_shnum; ++i) {
    ElfW(Shdr) symbols;
    ElfW(Shdr) names;
    if (!file.Read(header.e_shoff + i * sizeof symbols, &symbols)) return false;
    if (symbols.sh_type == SHT_SYMTAB && file.Read(header.e_shoff + symbols.sh_link * sizeof names, &names) &&
        Contains(file, names.sh_offset, names.sh_size, kFlang))
      return true;
  }
  return false;
}

// 1: the object has such loops.
int Look(dl_phdr_info* info, size_t, void*) {
  const ElfW(Phdr)* dynamic = nullptr;
  const ElfW(Phdr)* constants = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_DYNAMIC) dynamic = &segment;
    if (segment.p_type == PT_GNU_RELRO) constants = &segment;
    if (segment.p_type == PT_LOAD && info->dlpi_addr + segment.p_vaddr == getauxval(AT_SYSINFO_EHDR)) return 0;
  }
  if (dynamic == nullptr) return 0;
  const Dynamic linked = ReadDynamic(*info, reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + dynamic->p_vaddr));
  if (linked.symbols == nullptr || linked.strings == nullptr) return 0;
  Imports imports;
  AddImports(linked, linked.data, &imports);
  AddImports(linked, linked.calls, &imports);
  if (!imports.loops) return 0;
  if (imports.flang || (constants != nullptr && AllWithoutKind(*info, *constants))) return 1;
  return LinkedWithFlang(info->dlpi_name[0] != '\0' ? info->dlpi_name : "/proc/self/exe") ? 1 : 0;
}

}  // namespace

bool HasLoopsOfUnknownKind() { return dl_iterate_phdr(Look, nullptr) == 1; }

}  // namespace ompprof::collect::libomp

#include "profiler/collect/ompt/loop_kinds.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "profiler/collect/os.h"
#include "profiler/collect/unwind/safe_read.h"

namespace ompprof::collect {
namespace {

// What calls of a static loop are linked to: of a worksharing loop or sections, and of distribute with one in it.
constexpr char kLoop[] = "__kmpc_for_static_init_";
constexpr char kDistributedLoop[] = "__kmpc_dist_for_static_init_";
// What the names of LLVM's Fortran library begin with.
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

struct Dynamic {
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
  uint32_t undefined_end = 0;  // all symbols before this one, and perhaps some behind it, are defined elsewhere
};

Dynamic ReadDynamic(const dl_phdr_info& info, const ElfW(Dyn) * entry) {
  Dynamic result;
  for (; entry->d_tag != DT_NULL; ++entry) {
    uintptr_t address = entry->d_un.d_ptr;
    if (address < info.dlpi_addr) address += info.dlpi_addr;  // the loader has not relocated it
    if (entry->d_tag == DT_SYMTAB) result.symbols = reinterpret_cast<const ElfW(Sym)*>(address);
    if (entry->d_tag == DT_STRTAB) result.strings = reinterpret_cast<const char*>(address);
    // Number of chains: of all symbols. The first symbol that is hashed: those that are defined elsewhere are not.
    if (entry->d_tag == DT_HASH && result.undefined_end == 0)
      result.undefined_end = reinterpret_cast<const uint32_t*>(address)[1];
    if (entry->d_tag == DT_GNU_HASH) result.undefined_end = reinterpret_cast<const uint32_t*>(address)[1];
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

// Constants with pointers in them lie in what the loader makes read-only once it has relocated them.
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

// Whether the file's symbols, which the loader does not see, name LLVM's Fortran library: linked statically, it is not
// among those that the loader does see.
bool LinkedWithFlang(const char* path) {
  const long file = RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status {};
  size_t size = 0;
  if (RawSyscall(SYS_fstat, file, reinterpret_cast<long>(&status)) == 0) size = static_cast<size_t>(status.st_size);
  const long mapped = size > sizeof(ElfW(Ehdr))
                          ? RawSyscall(SYS_mmap, 0, static_cast<long>(size), PROT_READ, MAP_PRIVATE, file, 0)
                          : -1;
  RawSyscall(SYS_close, file);
  if (mapped < 0 && mapped > -4096) return false;
  const auto* bytes = reinterpret_cast<const char*>(mapped);
  const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(bytes);
  bool found = false;
  const bool has_sections = header->e_shentsize == sizeof(ElfW(Shdr)) && header->e_shoff < size &&
                            header->e_shnum <= (size - header->e_shoff) / sizeof(ElfW(Shdr));
  const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(bytes + header->e_shoff);
  for (uint32_t i = 0; has_sections && !found && i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
    const ElfW(Shdr)& names = sections[sections[i].sh_link];
    if (names.sh_offset < size && names.sh_size <= size - names.sh_offset)
      found = memmem(bytes + names.sh_offset, names.sh_size, kFlang, sizeof kFlang - 1) != nullptr;
  }
  RawSyscall(SYS_munmap, mapped, static_cast<long>(size));
  return found;
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
  bool loops = false;
  bool flang = false;
  for (uint32_t i = 0; i < linked.undefined_end; ++i) {
    if (linked.symbols[i].st_shndx != SHN_UNDEF) continue;
    const char* name = linked.strings + linked.symbols[i].st_name;
    loops |= BeginsWith(name, kLoop) || BeginsWith(name, kDistributedLoop);
    flang |= BeginsWith(name, kFlang);
  }
  if (!loops) return 0;
  if (flang || (constants != nullptr && AllWithoutKind(*info, *constants))) return 1;
  return LinkedWithFlang(info->dlpi_name[0] != '\0' ? info->dlpi_name : "/proc/self/exe") ? 1 : 0;
}

}  // namespace

bool HasLoopsOfUnknownKind() { return dl_iterate_phdr(Look, nullptr) == 1; }

}  // namespace ompprof::collect

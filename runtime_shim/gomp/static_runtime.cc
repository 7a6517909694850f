// A program with a statically linked libgomp calls it directly, so no preloaded library comes between. If the user asks
// for a tool, a line tells the user so.
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime_shim/ompt/loaded_object.h"
#include "runtime_shim/ompt/tool_search.h"

namespace gomp_ompt {
namespace {

constexpr char kFunction[] = "GOMP_parallel";

// libgomp prints this text for OMP_DISPLAY_ENV=verbose, and other code has no reason for it. The text remains when the
// symbols are gone.
constexpr char kText[] = "GOMP_SPINCOUNT = '%lu'";

// A file's bytes. No byte outside is read, whatever the headers say.
struct File {
  const char* bytes;
  size_t size;

  template <class Type>
  const Type* At(size_t offset, size_t count) const {
    if (offset > size || offset % alignof(Type) != 0 || count > (size - offset) / sizeof(Type)) return nullptr;
    return reinterpret_cast<const Type*>(bytes + offset);
  }
};

// Whether a symbol table (.symtab or .dynsym) defines the function.
bool Defines(const File& file, const ElfW(Shdr) & table, const ElfW(Shdr) & strings) {
  const size_t count = table.sh_size / sizeof(ElfW(Sym));
  const auto* symbols = file.At<ElfW(Sym)>(table.sh_offset, count);
  const char* names = file.At<char>(strings.sh_offset, strings.sh_size);
  if (symbols == nullptr || names == nullptr) return false;
  // Few programs have the name, so the search for it comes first, and symbols are compared only where it was found.
  const char* end = names + strings.sh_size;
  for (const char* from = names; from < end;) {
    auto* name = static_cast<const char*>(memmem(from, static_cast<size_t>(end - from), kFunction, sizeof(kFunction)));
    if (name == nullptr) return false;
    for (size_t i = 0; i < count; i++)
      if (symbols[i].st_name == static_cast<size_t>(name - names) && symbols[i].st_shndx != SHN_UNDEF) return true;
    from = name + 1;
  }
  return false;
}

// Whether a dynamic symbol table imports a function of libgomp.
bool Imports(const File& file, const ElfW(Shdr) & table, const ElfW(Shdr) & strings) {
  constexpr size_t kPrefix = sizeof("GOMP_") - 1;
  const size_t count = table.sh_size / sizeof(ElfW(Sym));
  const auto* symbols = file.At<ElfW(Sym)>(table.sh_offset, count);
  const char* names = file.At<char>(strings.sh_offset, strings.sh_size);
  if (symbols == nullptr || names == nullptr) return false;
  for (size_t i = 0; i < count; i++) {
    const size_t name = symbols[i].st_name;
    if (symbols[i].st_shndx == SHN_UNDEF && name < strings.sh_size && strings.sh_size - name >= kPrefix &&
        memcmp(names + name, kFunction, kPrefix) == 0)
      return true;
  }
  return false;
}

bool HasText(const File& file, size_t offset, size_t size) {
  const char* bytes = file.At<char>(offset, size);
  return bytes != nullptr && memmem(bytes, size, kText, sizeof(kText) - 1) != nullptr;
}

// Searches for the text in sections that the program may read but not run or write.
bool HasText(const File& file, const ElfW(Shdr) * sections, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    const ElfW(Shdr)& section = sections[i];
    if (section.sh_type == SHT_PROGBITS && (section.sh_flags & (SHF_ALLOC | SHF_EXECINSTR | SHF_WRITE)) == SHF_ALLOC &&
        HasText(file, section.sh_offset, section.sh_size))
      return true;
  }
  return false;
}

// Whether a program contains libgomp: by its symbols, or by its text if the program is stripped. A program that uses a
// shared libgomp does not contain it.
bool HasRuntime(const File& file) {
  const auto* header = file.At<ElfW(Ehdr)>(0, 1);
  if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return false;
  const auto* sections = file.At<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
  if (sections == nullptr || header->e_shnum == 0) return HasText(file, 0, file.size);
  bool stripped = true;
  for (unsigned i = 0; i < header->e_shnum; i++) {
    const ElfW(Shdr)& table = sections[i];
    if (table.sh_type == SHT_SYMTAB) stripped = false;
    if (table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) continue;
    if (table.sh_link >= header->e_shnum) continue;
    const ElfW(Shdr)& strings = sections[table.sh_link];
    if (table.sh_type == SHT_DYNSYM && Imports(file, table, strings)) return false;
    if (Defines(file, table, strings)) return true;
  }
  return stripped && HasText(file, sections, header->e_shnum);
}

bool ProgramHasRuntime() {
  const int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct stat status;
  bool found = false;
  if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
    const auto size = static_cast<size_t>(status.st_size);
    void* bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes != MAP_FAILED) {
      found = HasRuntime({static_cast<const char*>(bytes), size});
      munmap(bytes, size);
    }
  }
  close(descriptor);
  return found;
}

// Whether the shim itself is part of the program (a test): the functions that the program defines are then wrappers.
bool IsInProgram() {
  dl_find_object object;
  return !FindObject(kFunction, &object) || object.dlfo_link_map->l_name[0] == '\0';
}

__attribute__((constructor)) void WarnOfStaticRuntime() {
  if (IsInProgram() || !IsToolAskedFor() || !ProgramHasRuntime()) return;
  dprintf(STDERR_FILENO,
          "libgomp_ompt: libgomp is linked into this program statically, so no OMPT tool can see it; link it "
          "dynamically (without -static, -static-libgomp or libgomp.a)\n");
}

}  // namespace
}  // namespace gomp_ompt

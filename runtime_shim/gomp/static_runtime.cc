// A program with a statically linked libgomp calls it directly, so no preloaded library comes between. If the user asks
// for a tool, a line tells the user so.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime_shim/generations/generation.h"
#include "runtime_shim/ompt/loaded_object.h"
#include "runtime_shim/ompt/program_file.h"
#include "runtime_shim/ompt/tool_search.h"

namespace gomp_ompt {
namespace {

constexpr char kFunction[] = "GOMP_parallel";

// libgomp prints this text for OMP_DISPLAY_ENV=verbose, and other code has no reason for it. The text remains when the
// symbols are gone.
constexpr char kText[] = "GOMP_SPINCOUNT = '%lu'";

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
bool HasText(const File& file, const Sections& sections) {
  for (unsigned i = 0; i < sections.count; i++) {
    const ElfW(Shdr)& section = sections.first[i];
    if (section.sh_type == SHT_PROGBITS && (section.sh_flags & (SHF_ALLOC | SHF_EXECINSTR | SHF_WRITE)) == SHF_ALLOC &&
        HasText(file, section.sh_offset, section.sh_size))
      return true;
  }
  return false;
}

// Whether a program contains libgomp: by its symbols, or by its text if the program is stripped. A program that uses a
// shared libgomp does not contain it.
bool HasRuntime(const File& file) {
  const Sections sections = SectionsOf(file);
  if (sections.count == 0) return HasText(file, 0, file.size);
  bool stripped = true;
  for (unsigned i = 0; i < sections.count; i++) {
    const ElfW(Shdr)& table = sections.first[i];
    if (table.sh_type == SHT_SYMTAB) stripped = false;
    if (table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) continue;
    if (table.sh_link >= sections.count) continue;
    if (table.sh_type == SHT_DYNSYM && Imports(file, table, sections.first[table.sh_link])) return false;
    if (FindDefinition(file, sections, table, kFunction) != nullptr) return true;
  }
  return stripped && HasText(file, sections);
}

// Whether the shim itself is part of the program (a test): the functions that the program defines are then wrappers.
bool IsInProgram() {
  dl_find_object object;
  return !FindObject(kFunction, &object) || object.dlfo_link_map->l_name[0] == '\0';
}

__attribute__((constructor)) void WarnOfStaticRuntime() {
  if (IsInProgram() || !IsToolAskedFor(AskedGenerations()) || !HasRuntime(ProgramFile().file())) return;
  dprintf(STDERR_FILENO,
          "libgomp_ompt: libgomp is linked into this program statically, so no OMPT tool can see it; link it "
          "dynamically (without -static, -static-libgomp or libgomp.a)\n");
}

}  // namespace
}  // namespace gomp_ompt

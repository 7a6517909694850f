#include "runtime_shim/ompt/program_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

namespace gomp_ompt {
namespace {

// The program's load address minus the address in its file: the program headers know their own address in the file.
uintptr_t LoadBias() {
  const auto* headers = reinterpret_cast<const ElfW(Phdr)*>(getauxval(AT_PHDR));
  const unsigned long count = getauxval(AT_PHNUM);
  for (unsigned long i = 0; headers != nullptr && i < count; i++)
    if (headers[i].p_type == PT_PHDR) return reinterpret_cast<uintptr_t>(headers) - headers[i].p_vaddr;
  return 0;  // a program at a fixed address
}

bool IsVisibleFunction(const ElfW(Sym) & symbol) {
  const unsigned binding = ELF64_ST_BIND(symbol.st_info);
  return ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && (binding == STB_GLOBAL || binding == STB_WEAK);
}

}  // namespace

Sections SectionsOf(const File& file) {
  const auto* header = file.At<ElfW(Ehdr)>(0, 1);
  if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return {nullptr, 0};
  const auto* first = file.At<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
  return {first, first != nullptr ? header->e_shnum : 0u};
}

const ElfW(Sym) *
    FindDefinition(const File& file, const Sections& sections, const ElfW(Shdr) & table, const char* wanted) {
  if (table.sh_link >= sections.count) return nullptr;
  const ElfW(Shdr)& strings = sections.first[table.sh_link];
  const size_t count = table.sh_size / sizeof(ElfW(Sym));
  const auto* symbols = file.At<ElfW(Sym)>(table.sh_offset, count);
  const char* names = file.At<char>(strings.sh_offset, strings.sh_size);
  if (symbols == nullptr || names == nullptr) return nullptr;
  // Few programs have the name, so the search for it comes first, and symbols are compared only where it was found.
  const char* end = names + strings.sh_size;
  for (const char* from = names; from < end;) {
    auto* name = static_cast<const char*>(memmem(from, static_cast<size_t>(end - from), wanted, strlen(wanted) + 1));
    if (name == nullptr) return nullptr;
    for (size_t i = 0; i < count; i++)
      if (symbols[i].st_name == static_cast<size_t>(name - names) && symbols[i].st_shndx != SHN_UNDEF)
        return &symbols[i];
    from = name + 1;
  }
  return nullptr;
}

ProgramFile::ProgramFile() {
  const int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  // Not fstat, which needs glibc 2.33.
  if (const off_t end = lseek(descriptor, 0, SEEK_END); end > 0) {
    const auto size = static_cast<size_t>(end);
    void* bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes != MAP_FAILED) file_ = {static_cast<const char*>(bytes), size};
  }
  close(descriptor);
}

ProgramFile::~ProgramFile() {
  if (file_.size != 0) munmap(const_cast<char*>(file_.bytes), file_.size);
}

void* FindFunctionOfProgram(const char* name) {
  const ProgramFile program;
  const Sections sections = SectionsOf(program.file());
  for (unsigned i = 0; i < sections.count; i++) {
    if (sections.first[i].sh_type != SHT_SYMTAB) continue;
    const ElfW(Sym)* found = FindDefinition(program.file(), sections, sections.first[i], name);
    if (found != nullptr && IsVisibleFunction(*found)) return reinterpret_cast<void*>(LoadBias() + found->st_value);
  }
  return nullptr;
}

}  // namespace gomp_ompt

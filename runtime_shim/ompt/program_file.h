// The program's own file: its symbols, including those that it does not export.
#ifndef RUNTIME_SHIM_OMPT_PROGRAM_FILE_H_
#define RUNTIME_SHIM_OMPT_PROGRAM_FILE_H_

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

namespace gomp_ompt {

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

// The section headers of an ELF file; `count` is 0 if there are none.
struct Sections {
  const ElfW(Shdr) * first;
  unsigned count;
};
Sections SectionsOf(const File& file);

// The symbol named `name` that a symbol table (.symtab or .dynsym) defines; NULL if there is none.
const ElfW(Sym) *
    FindDefinition(const File& file, const Sections& sections, const ElfW(Shdr) & table, const char* name);

// The running program's file, mapped while the object lives. `size` is 0 if the file cannot be read.
class ProgramFile {
 public:
  ProgramFile();
  ~ProgramFile();
  ProgramFile(const ProgramFile&) = delete;
  const File& file() const { return file_; }

 private:
  File file_ = {nullptr, 0};
};

// The address of a function of the program that is visible to its other files, though the program may not export it.
// NULL if there is none, also in a stripped program.
void* FindFunctionOfProgram(const char* name);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_PROGRAM_FILE_H_

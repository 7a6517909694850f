// The address of a symbol in an object file. Tests name places in their fixtures by labels.
#ifndef OMPPROF_TESTS_UNIT_MODEL_SYMBOL_ADDRESS_H_
#define OMPPROF_TESTS_UNIT_MODEL_SYMBOL_ADDRESS_H_

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <string>

namespace ompprof::test {

// The file's symbols, in the file's own addresses.
inline std::map<std::string, uint64_t> SymbolAddresses(const std::string& path) {
  std::map<std::string, uint64_t> addresses;
  elf_version(EV_CURRENT);
  const int fd = open(path.c_str(), O_RDONLY);
  Elf* elf = elf_begin(fd, ELF_C_READ, nullptr);
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    gelf_getshdr(section, &header);
    if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    for (int i = 0; i < static_cast<int>(header.sh_size / header.sh_entsize); ++i) {
      GElf_Sym symbol;
      gelf_getsym(data, i, &symbol);
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name != nullptr && symbol.st_value != 0) addresses[name] = symbol.st_value;
    }
  }
  elf_end(elf);
  close(fd);
  return addresses;
}

}  // namespace ompprof::test

#endif  // OMPPROF_TESTS_UNIT_MODEL_SYMBOL_ADDRESS_H_

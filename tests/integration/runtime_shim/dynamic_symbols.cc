#include "tests/integration/runtime_shim/dynamic_symbols.h"

#include <elf.h>
#include <string.h>

#include <fstream>
#include <iterator>
#include <vector>

namespace gomp_ompt {

std::map<std::string, std::set<std::string>> DefinedFunctions(const std::string& path) {
  std::map<std::string, std::set<std::string>> found;
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.size() < sizeof(Elf64_Ehdr) || memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) return found;
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(bytes.data());
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(bytes.data() + header->e_shoff);
  const Elf64_Shdr* symbols = nullptr;
  const Elf64_Shdr* versions = nullptr;
  const Elf64_Shdr* definitions = nullptr;
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type == SHT_DYNSYM) symbols = &sections[i];
    if (sections[i].sh_type == SHT_GNU_versym) versions = &sections[i];
    if (sections[i].sh_type == SHT_GNU_verdef) definitions = &sections[i];
  }
  if (symbols == nullptr) return found;
  const char* names = bytes.data() + sections[symbols->sh_link].sh_offset;
  std::map<unsigned, std::string> version_names;
  if (definitions != nullptr) {
    const char* at = bytes.data() + definitions->sh_offset;
    for (unsigned i = 0; i < definitions->sh_info; i++) {
      const auto* definition = reinterpret_cast<const Elf64_Verdef*>(at);
      const auto* name = reinterpret_cast<const Elf64_Verdaux*>(at + definition->vd_aux);
      version_names[definition->vd_ndx] = names + name->vda_name;
      at += definition->vd_next;
    }
  }
  const auto* symbol = reinterpret_cast<const Elf64_Sym*>(bytes.data() + symbols->sh_offset);
  const size_t count = symbols->sh_size / sizeof(Elf64_Sym);
  for (size_t i = 0; i < count; i++) {
    if (ELF64_ST_TYPE(symbol[i].st_info) != STT_FUNC || symbol[i].st_shndx == SHN_UNDEF) continue;
    std::string version;
    if (versions != nullptr && definitions != nullptr) {
      const auto* numbers = reinterpret_cast<const Elf64_Versym*>(bytes.data() + versions->sh_offset);
      version = version_names[numbers[i] & 0x7fff];
    }
    found[names + symbol[i].st_name].insert(version);
  }
  return found;
}

}  // namespace gomp_ompt

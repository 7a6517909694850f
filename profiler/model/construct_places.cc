#include "profiler/model/construct_places.h"

#include <elf.h>
#include <gelf.h>

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "profiler/model/arch/call_arguments.h"

namespace ompprof::model {
namespace {

struct Constants {
  uint64_t address;
  std::string_view bytes;
};

// The contents of sections that the program has in memory and does not execute.
std::vector<Constants> ReadConstants(Elf* elf) {
  std::vector<Constants> result;
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_PROGBITS ||
        (header.sh_flags & SHF_ALLOC) == 0 || (header.sh_flags & SHF_EXECINSTR) != 0)
      continue;
    const Elf_Data* data = elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) continue;
    result.push_back({header.sh_addr, {static_cast<const char*>(data->d_buf), data->d_size}});
  }
  return result;
}

// The loader's relocations. Some linkers leave nothing at the relocated place itself.
std::map<uint64_t, uint64_t> ReadRelocations(Elf* elf, uint32_t relative) {
  std::map<uint64_t, uint64_t> result;
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_RELA || (header.sh_flags & SHF_ALLOC) == 0 ||
        header.sh_entsize == 0)
      continue;
    Elf_Data* entries = elf_getdata(section, nullptr);
    for (size_t i = 0; entries != nullptr && i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Rela entry;
      if (gelf_getrela(entries, static_cast<int>(i), &entry) != nullptr && GELF_R_TYPE(entry.r_info) == relative)
        result.emplace(entry.r_offset, static_cast<uint64_t>(entry.r_addend));
    }
  }
  return result;
}

// The text at `address`; empty if the bytes there are not the text of an ident_t.
std::string TextAt(const std::vector<Constants>& constants, uint64_t address) {
  for (const Constants& part : constants) {
    if (address < part.address || address - part.address >= part.bytes.size()) continue;
    const std::string_view rest = part.bytes.substr(address - part.address);
    const size_t end = rest.find('\0');
    if (rest[0] != ';' || end == std::string_view::npos || end < 2 || rest.substr(end - 2, 2) != ";;") return "";
    return std::string(rest.substr(0, end));
  }
  return "";
}

template <typename Integer>
Integer Read(std::string_view bytes, size_t at) {
  Integer value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace

std::map<uint64_t, std::string> ReadConstructPlaces(Elf* elf) {
  std::map<uint64_t, std::string> places;
  GElf_Ehdr file;
  const uint32_t relative = gelf_getehdr(elf, &file) != nullptr ? RelativeRelocation(file.e_machine) : 0;
  if (relative == 0) return places;
  const std::vector<Constants> constants = ReadConstants(elf);
  const std::map<uint64_t, uint64_t> relocations = ReadRelocations(elf, relative);
  constexpr size_t kSize = 24;  // reserved, flags, two reserved, a pointer to the text
  constexpr int32_t kFromCompiler = 2;
  for (const Constants& part : constants) {
    for (size_t at = 0; at + kSize <= part.bytes.size(); at += 8) {
      if (Read<int32_t>(part.bytes, at) != 0 || Read<int32_t>(part.bytes, at + 8) != 0 ||
          (Read<int32_t>(part.bytes, at + 4) & kFromCompiler) == 0)
        continue;
      uint64_t text = Read<uint64_t>(part.bytes, at + 16);
      const auto relocation = relocations.find(part.address + at + 16);
      if (relocation != relocations.end()) text = relocation->second;
      std::string place = TextAt(constants, text);
      if (!place.empty()) places.emplace(part.address + at, std::move(place));
    }
  }
  return places;
}

uint32_t ConstructLine(const std::string& place) {
  // The search begins at the end: a file's name may contain semicolons.
  size_t end = place.size();
  for (int fields = 0; fields < 3 && end != std::string::npos && end > 0; ++fields) end = place.rfind(';', end - 1);
  if (end == std::string::npos || end == 0) return 0;
  const size_t begin = place.rfind(';', end - 1);
  if (begin == std::string::npos) return 0;
  return static_cast<uint32_t>(std::strtoul(place.substr(begin + 1, end - begin - 1).c_str(), nullptr, 10));
}

}  // namespace ompprof::model

#include "tests/fuzz/object_image.h"

#include <dwarf.h>
#include <elf.h>

#include <cstring>

namespace ompprof::fuzz {
namespace {

template <class T>
void Put(const T& value, std::string* to) {
  to->append(reinterpret_cast<const char*>(&value), sizeof value);
}

void PutName(const std::string& name, std::string* to) { *to += name.c_str(), *to += '\0'; }

void PutUleb(uint64_t value, std::string* to) {
  for (; value >= 0x80; value >>= 7) *to += static_cast<char>(value | 0x80);
  *to += static_cast<char>(value);
}

// `body` after its length.
std::string WithLength(const std::string& body) {
  std::string unit;
  Put(static_cast<uint32_t>(body.size()), &unit);
  return unit + body;
}

// One entry for the unit, one for a function.
std::string Abbreviations() {
  std::string table;
  const auto entry = [&table](uint64_t number, uint64_t tag, bool children, std::vector<uint64_t> attributes) {
    PutUleb(number, &table);
    PutUleb(tag, &table);
    table += children ? '\1' : '\0';
    for (const uint64_t part : attributes) PutUleb(part, &table);
    table += '\0', table += '\0';
  };
  entry(1, DW_TAG_compile_unit, true,
        {DW_AT_name, DW_FORM_string, DW_AT_comp_dir, DW_FORM_string, DW_AT_stmt_list, DW_FORM_sec_offset, DW_AT_low_pc,
         DW_FORM_addr, DW_AT_high_pc, DW_FORM_data8});
  entry(2, DW_TAG_subprogram, false,
        {DW_AT_name, DW_FORM_string, DW_AT_decl_file, DW_FORM_data1, DW_AT_decl_line, DW_FORM_data1, DW_AT_low_pc,
         DW_FORM_addr, DW_AT_high_pc, DW_FORM_data8});
  return table + '\0';
}

std::string Information(const ImageNames& names) {
  std::string body;
  Put(uint16_t{4}, &body);  // version
  Put(uint32_t{0}, &body);  // of the abbreviations
  body += '\x8';            // bytes of an address
  PutUleb(1, &body);
  PutName(names.file, &body);
  PutName(names.folder, &body);
  Put(uint32_t{0}, &body);  // of the lines
  Put(uint64_t{kImageCode}, &body);
  Put(uint64_t{names.functions.size() * kImageFunction}, &body);
  for (size_t i = 0; i < names.functions.size(); ++i) {
    PutUleb(2, &body);
    PutName(names.functions[i], &body);
    body += '\1';
    body += static_cast<char>(10 * i + 1);
    Put(uint64_t{kImageCode + i * kImageFunction}, &body);
    Put(uint64_t{kImageFunction}, &body);
  }
  return WithLength(body + '\0');
}

// A row at the beginning of each function.
std::string Lines(const ImageNames& names) {
  std::string tables;
  tables += '\0';  // no folders
  PutName(names.file.empty() ? "x" : names.file, &tables);
  tables += '\0', tables += '\0', tables += '\0';  // folder, time, length
  tables += '\0';
  std::string header;
  header += '\1', header += '\1', header += '\1';   // instruction length, operations in one, rows are statements
  header += '\0', header += '\1', header += '\xd';  // line base and range, first special opcode
  for (const char length : {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1}) header += length;
  header += tables;
  std::string program;
  for (size_t i = 0; i <= names.functions.size(); ++i) {
    program += '\0', program += '\x9', program += static_cast<char>(DW_LNE_set_address);
    Put(uint64_t{kImageCode + i * kImageFunction}, &program);
    if (i == names.functions.size()) break;
    program += static_cast<char>(DW_LNS_advance_line);
    program += '\x3';
    program += static_cast<char>(DW_LNS_copy);
  }
  program += '\0', program += '\1', program += static_cast<char>(DW_LNE_end_sequence);
  std::string body;
  Put(uint16_t{4}, &body);
  Put(static_cast<uint32_t>(header.size()), &body);
  return WithLength(body + header + program);
}

struct Section {
  std::string name, bytes;
  uint32_t type = SHT_PROGBITS;
  uint64_t flags = 0, address = 0, entry = 0, size = 0;  // size: of one without bytes
  uint32_t link = 0, info = 0;
};

std::string Assemble(std::vector<Section> sections, uint64_t end) {
  std::string names(1, '\0');
  sections.push_back({".shstrtab", "", SHT_STRTAB});
  std::vector<uint32_t> name_at;
  for (const Section& section : sections) {
    name_at.push_back(static_cast<uint32_t>(names.size()));
    PutName(section.name, &names);
  }
  sections.back().bytes = names;
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_DYN;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_phoff = sizeof header;
  header.e_ehsize = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<uint16_t>(sections.size() + 1);
  header.e_shstrndx = static_cast<uint16_t>(sections.size());
  Elf64_Phdr segment{};
  segment.p_type = PT_LOAD;
  segment.p_flags = PF_R | PF_X;
  segment.p_memsz = end;
  segment.p_filesz = sizeof header + sizeof segment;
  segment.p_align = 0x1000;
  std::string contents, table(sizeof(Elf64_Shdr), '\0');
  const size_t contents_at = sizeof header + sizeof segment;
  for (size_t i = 0; i < sections.size(); ++i) {
    const Section& section = sections[i];
    contents.append((8 - contents.size() % 8) % 8, '\0');
    Elf64_Shdr entry{};
    entry.sh_name = name_at[i];
    entry.sh_type = section.type;
    entry.sh_flags = section.flags;
    entry.sh_addr = section.address;
    entry.sh_offset = contents_at + contents.size();
    entry.sh_size = section.type == SHT_NOBITS ? section.size : section.bytes.size();
    entry.sh_link = section.link;
    entry.sh_info = section.info;
    entry.sh_addralign = 1;
    entry.sh_entsize = section.entry;
    Put(entry, &table);
    if (section.type != SHT_NOBITS) contents += section.bytes;
  }
  contents.append((8 - contents.size() % 8) % 8, '\0');
  header.e_shoff = contents_at + contents.size();
  std::string image;
  Put(header, &image);
  Put(segment, &image);
  return image + contents + table;
}

}  // namespace

std::string ObjectImage(const ImageNames& names) {
  std::string strings(1, '\0'), symbols(sizeof(Elf64_Sym), '\0');
  const auto symbol = [&](const std::string& name, unsigned char type, uint16_t section, uint64_t at, uint64_t size) {
    Elf64_Sym entry{};
    entry.st_name = static_cast<uint32_t>(strings.size());
    entry.st_info = ELF64_ST_INFO(STB_GLOBAL, type);
    entry.st_shndx = section;
    entry.st_value = at;
    entry.st_size = size;
    Put(entry, &symbols);
    PutName(name, &strings);
  };
  for (size_t i = 0; i < names.functions.size(); ++i)
    symbol(names.functions[i], STT_FUNC, 1, kImageCode + i * kImageFunction, kImageFunction);
  for (size_t i = 0; i < names.variables.size(); ++i)
    symbol(names.variables[i], STT_OBJECT, 2, kImageData + i * kImageVariable, kImageVariable);
  constexpr uint32_t kStrings = 4;
  const uint64_t code = names.functions.size() * kImageFunction, data = names.variables.size() * kImageVariable;
  std::vector<Section> sections = {{".text", "", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, kImageCode, 0, code},
                                   {".bss", "", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, kImageData, 0, data},
                                   {".symtab", symbols, SHT_SYMTAB, 0, 0, sizeof(Elf64_Sym), 0, kStrings, 1},
                                   {".strtab", strings, SHT_STRTAB}};
  if (!names.file.empty()) {
    sections.push_back({".debug_abbrev", Abbreviations()});
    sections.push_back({".debug_info", Information(names)});
    sections.push_back({".debug_line", Lines(names)});
  }
  return Assemble(std::move(sections), kImageData + data);
}

}  // namespace ompprof::fuzz

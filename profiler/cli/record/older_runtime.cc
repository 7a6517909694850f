#include "profiler/cli/record/older_runtime.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "profiler/model/command_output.h"

namespace ompprof::cli {
namespace {

// An ELF file that is open for reading.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    elf_version(EV_CURRENT);
    if (descriptor_ >= 0) elf_ = elf_begin(descriptor_, ELF_C_READ_MMAP, nullptr);
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;
  ~ElfFile() {
    elf_end(elf_);
    if (descriptor_ >= 0) close(descriptor_);
  }

  // The program's dynamic loader; empty if the file names none.
  std::string Interpreter() {
    size_t count = 0;
    if (elf_ == nullptr || elf_getphdrnum(elf_, &count) != 0) return "";
    for (size_t i = 0; i < count; ++i) {
      GElf_Phdr segment;
      if (gelf_getphdr(elf_, static_cast<int>(i), &segment) == nullptr || segment.p_type != PT_INTERP) continue;
      size_t size = 0;
      const char* bytes = elf_rawfile(elf_, &size);
      if (bytes == nullptr || segment.p_offset >= size || segment.p_filesz > size - segment.p_offset) return "";
      return {bytes + segment.p_offset, strnlen(bytes + segment.p_offset, segment.p_filesz)};
    }
    return "";
  }

  // Calls visit(name, is_defined) for each dynamic symbol.
  template <typename Visit>
  void VisitDynamicSymbols(Visit visit) {
    Elf_Scn* section = nullptr;
    while (elf_ != nullptr && (section = elf_nextscn(elf_, section)) != nullptr) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNSYM || header.sh_entsize == 0) continue;
      Elf_Data* data = elf_getdata(section, nullptr);
      for (size_t i = 0; data != nullptr && i < header.sh_size / header.sh_entsize; ++i) {
        GElf_Sym symbol;
        if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
        const char* name = elf_strptr(elf_, header.sh_link, symbol.st_name);
        if (name != nullptr) visit(std::string(name), symbol.st_shndx != SHN_UNDEF);
      }
    }
  }

 private:
  int descriptor_;
  Elf* elf_ = nullptr;
};

// The files of "NAME => FILE (ADDRESS)" and "FILE (ADDRESS)", one in each line.
std::vector<std::string> ListedFiles(const std::string& list) {
  std::vector<std::string> files;
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find('\n', begin), list.size());
    std::string line = list.substr(begin, end - begin);
    const size_t arrow = line.find("=> ");
    const size_t address = line.rfind(" (");
    const size_t from = arrow != std::string::npos ? arrow + 3 : line.find_first_not_of(" \t");
    if (address != std::string::npos && from < address && line[from] == '/')
      files.push_back(line.substr(from, address - from));
    begin = end + 1;
  }
  return files;
}

}  // namespace

bool HasOlderRuntime(const std::string& path) {
  const std::string loader = ElfFile(path).Interpreter();
  if (loader.empty()) return false;
  bool older = false, newer = false;
  for (const std::string& file : ListedFiles(model::OutputOf({loader, "--list", path}))) {
    ElfFile(file).VisitDynamicSymbols([&](const std::string& name, bool is_defined) {
      older |= is_defined && (name == "ompt_tool" || name == "ompt_initialize");
      newer |= name == "ompt_start_tool";
    });
  }
  return older && !newer;
}

}  // namespace ompprof::cli

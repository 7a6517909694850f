#include "profiler/model/debug_file.h"

#include <elf.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "profiler/model/arch/call_arguments.h"
#include "profiler/model/arch/instructions.h"
#include "profiler/model/construct_places.h"
#include "profiler/model/critical_name.h"
#include "profiler/model/debug_identity.h"
#include "profiler/model/function_starts.h"
#include "profiler/model/symbol_name.h"
#include "profiler/model/zstd_sections.h"

namespace ompprof::model {
namespace {

// libdwfl then searches beside the file, under .debug/ and under /usr/lib/debug. A null path means the same.
char* debuginfo_path = nullptr;

// The seconds without data after which libdebuginfod gives a file up. The user's own value comes first.
constexpr char kDebuginfodTimeoutS[] = "10";

// The file to which dwz moved parts of the debug information, if it was not found. Empty: there is none.
std::string MissingShared(Dwarf* dwarf) {
  const char* name = nullptr;
  const void* build_id = nullptr;
  const bool missing = dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &build_id) > 0 && dwarf_getalt(dwarf) == nullptr;
  return missing ? name : "";
}

// Opens plain files only. A profile from somebody else may name anything: the open of a pipe may wait forever, and a
// device may act. Returns -1 and errno as open does; EINVAL for anything but a plain file.
int OpenRegular(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return -1;
  if (S_ISREG(info.st_mode)) return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  errno = EINVAL;
  return -1;
}

// Why libdw has not read a file with a unit's functions, and what helps; the end of a sentence. Debian 12's libdw reads
// no sections that are compressed by zstd. It opens these files itself, so that it cannot be given a readable copy.
std::string WhySplitIsUnread(const std::string& file) {
  const int fd = OpenRegular(file);
  if (fd < 0)
    return std::string("cannot be opened (") + std::strerror(errno) + "): put it back, or build with -g alone";
  const bool compressed = HasZstd(fd);
  close(fd);
  if (!compressed) return "is of another build, or damaged: build again";
  return "is compressed by zstd: `objcopy --decompress-debug-sections` makes it readable";
}

// The vDSO's image as a file, because libdwfl reads files only. -1 if there is no vDSO.
int OpenVdso() {
  const auto* image = reinterpret_cast<const char*>(getauxval(AT_SYSINFO_EHDR));
  if (image == nullptr) return -1;
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(image);
  const size_t size = header->e_shoff + size_t{header->e_shentsize} * header->e_shnum;
  const int fd = static_cast<int>(syscall(SYS_memfd_create, "vdso", MFD_CLOEXEC));  // glibc has it since 2.27
  if (fd >= 0 && write(fd, image, size) != static_cast<ssize_t>(size)) {
    close(fd);
    return -1;
  }
  return fd;
}

// Begins to read the file at `path`. Takes `fd`, of that file. `find` finds the separate debug information: always the
// same function. `module` is null if the file is no object.
Dwfl* Begin(decltype(dwfl_standard_find_debuginfo)* find, const std::string& path, int fd, Dwfl_Module** module) {
  static const Dwfl_Callbacks kCallbacks = {dwfl_build_id_find_elf, find, dwfl_offline_section_address,
                                            &debuginfo_path};
  Dwfl* const dwfl = dwfl_begin(&kCallbacks);
  dwfl_report_begin(dwfl);
  *module = dwfl_report_offline(dwfl, path.c_str(), path.c_str(), fd);  // takes fd, unless it fails
  if (*module == nullptr) close(fd);
  dwfl_report_end(dwfl, nullptr, nullptr);
  return dwfl;
}

// The debug information that libdwfl has found in other files. If a file has sections that libdw cannot read, libdwfl
// begins again and gets a readable copy. It has opened the file itself by then, to look at the build id.
struct FoundFiles {
  DebugFile* reader;
  std::string separate;  // with such sections; empty: none
  std::string shared;    // likewise, of dwz
  bool begin_again = false;
};

// Of several names for one function, the author wrote the global name. Local aliases come last.
int Rank(const GElf_Sym& symbol) {
  const int binding = GELF_ST_BIND(symbol.st_info) == STB_GLOBAL ? 2 : GELF_ST_BIND(symbol.st_info) == STB_WEAK ? 1 : 0;
  return binding + (symbol.st_size > 0 ? 3 : 0);
}

}  // namespace

std::string AddressName(const std::string& path, uint64_t address) {
  char hex[32];
  std::snprintf(hex, sizeof hex, "0x%" PRIx64, address);
  return path.empty() ? hex : path.substr(path.rfind('/') + 1) + "+" + hex;
}

std::unique_ptr<DebugFile> DebugFile::Open(const std::string& path, const std::string& build_id, Status* status) {
  const auto fail = [&](const std::string& sentence) {
    *status = Status(sentence);
    return nullptr;
  };
  // libdwfl asks the servers in DEBUGINFOD_URLS for debug information that is not on this machine, by build id, if
  // libdebuginfod is installed. A server that does not answer would hold each file up for 90 s.
  setenv("DEBUGINFOD_TIMEOUT", kDebuginfodTimeoutS, 0);

  const int fd = path == "[vdso]" ? OpenVdso() : OpenRegular(path);
  if (fd < 0)
    return fail(path + " cannot be opened (" + std::strerror(errno) + "): its functions are shown as addresses");

  std::unique_ptr<DebugFile> file(new DebugFile);
  file->dwfl_ = Begin(FindDebugInfo, path, file->Decompressed(fd, path), &file->module_);
  GElf_Addr elf_bias = 0;
  Elf* elf = file->module_ == nullptr ? nullptr : dwfl_module_getelf(file->module_, &elf_bias);
  if (elf == nullptr) return fail(path + " is not a readable object file: its functions are shown as addresses");
  file->elf_bias_ = elf_bias;

  if (!build_id.empty()) {
    const void* bytes = nullptr;
    const ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);
    const std::string found = size > 0 ? std::string(static_cast<const char*>(bytes), size) : std::string();
    if (found != build_id) {
      return fail(path + " is not the file that was profiled (build id " + (found.empty() ? "missing" : Hex(found)) +
                  ", recorded " + Hex(build_id) + "): its functions are shown as addresses");
    }
  }

  file->ReadDebugInfo(path);
  elf = file->module_ == nullptr ? nullptr : dwfl_module_getelf(file->module_, &file->elf_bias_);
  if (elf == nullptr) return fail(path + " has changed while it was read: its functions are shown as addresses");
  file->ReadSymbols();
  file->path_ = path;
  file->starts_ = ReadFunctionStarts(elf);
  GElf_Ehdr header;
  if (gelf_getehdr(elf, &header) != nullptr) file->program_entry_ = header.e_entry;
  return file;
}

// Takes `fd`, of the file at `path`, and returns a file whose sections libdw can read.
int DebugFile::Decompressed(int fd, const std::string& path) {
  std::string reason;
  const int readable = WithoutZstd(fd, &reason);
  if (!reason.empty()) {
    unread_ = path + ": its debug information is compressed by zstd and cannot be read, because " + reason +
              ": its functions have no lines; `objcopy --decompress-debug-sections` makes it readable";
  }
  return readable;
}

// As libdwfl's own. It is asked for separate debug information, and without a file's name for the shared file of dwz.
int DebugFile::FindDebugInfo(Dwfl_Module* module, void** user_data, const char* name, Dwarf_Addr base,
                             const char* file_name, const char* link, GElf_Word checksum, char** found) {
  auto* const files = static_cast<FoundFiles*>(*user_data);
  std::string* const known = files == nullptr ? nullptr : file_name != nullptr ? &files->separate : &files->shared;
  if (known != nullptr && !known->empty()) {
    const int fd = OpenRegular(*known);
    if (fd < 0) return fd;
    *found = strdup(known->c_str());
    return files->reader->Decompressed(fd, *known);
  }
  const int fd = dwfl_standard_find_debuginfo(module, user_data, name, base, file_name, link, checksum, found);
  if (known != nullptr && fd >= 0 && *found != nullptr && HasZstd(fd)) {
    *known = *found;
    files->begin_again = true;
  }
  return fd;
}

void DebugFile::ReadDebugInfo(const std::string& path) {
  FoundFiles files{this, "", ""};
  Dwarf* dwarf = nullptr;
  do {
    if (files.begin_again) {
      const int fd = OpenRegular(path);
      if (fd < 0) break;
      dwfl_end(dwfl_);
      dwfl_ = Begin(FindDebugInfo, path, Decompressed(fd, path), &module_);
      if (module_ == nullptr) return;
    }
    files.begin_again = false;
    void** user_data = nullptr;
    dwfl_module_info(module_, &user_data, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    *user_data = &files;
    dwarf = dwfl_module_getdwarf(module_, &dwarf_bias_);
    *user_data = nullptr;
  } while (files.begin_again);
  needs_more_files_ = !unread_.empty();
  if (dwarf == nullptr) return;
  dwarf_ = std::make_unique<DwarfIndex>(dwarf);
  dwarf_->LinkedNamesFrom([this](uint64_t address) {
    const Function* symbol = FindSymbol(address + dwarf_bias_ - elf_bias_);
    return symbol == nullptr ? std::string() : symbol->system_name;
  });
  needs_more_files_ |= dwarf_->is_split();
  const std::string& split = dwarf_->unread_split();
  if (!split.empty()) {
    unread_ = path + ": its debug information lacks functions that the compiler inlined, because " + split + " " +
              WhySplitIsUnread(split);
  }
  const std::string shared = MissingShared(dwarf);
  if (shared.empty()) return;
  needs_more_files_ = true;
  unread_ = path + ": a part of its debug information is in " + shared +
            ", which was not found: some functions have no names or lines; install the package that has this file";
}

DebugFile::~DebugFile() {
  data_.reset();
  dwarf_.reset();
  if (dwfl_ != nullptr) dwfl_end(dwfl_);
}

void DebugFile::ReadSymbols() {
  const int count = dwfl_module_getsymtab(module_);
  for (int i = 1; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    const char* name = dwfl_module_getsym_info(module_, i, &symbol, &address, nullptr, nullptr, nullptr);
    const int type = GELF_ST_TYPE(symbol.st_info);
    if (name == nullptr || *name == '\0' || symbol.st_shndx == SHN_UNDEF) continue;
    if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) continue;
    const uint64_t low = address - elf_bias_;
    symbols_.push_back({low, low + symbol.st_size, name, Rank(symbol), nullptr});
  }
  std::sort(symbols_.begin(), symbols_.end(),
            [](const Symbol& a, const Symbol& b) { return a.low != b.low ? a.low < b.low : a.rank > b.rank; });
  symbols_.erase(
      std::unique(symbols_.begin(), symbols_.end(), [](const Symbol& a, const Symbol& b) { return a.low == b.low; }),
      symbols_.end());
  // A label within a function, which assembly leaves without a size, must not hide the function.
  uint64_t end = 0;  // of the last symbol that has a size
  const auto hides = [&end](const Symbol& symbol) {
    const bool sized = symbol.high > symbol.low;
    if (sized) end = std::max(end, symbol.high);
    return !sized && symbol.low < end;
  };
  symbols_.erase(std::remove_if(symbols_.begin(), symbols_.end(), hides), symbols_.end());
}

const Function* DebugFile::FindSymbol(uint64_t address) {
  auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                [](uint64_t a, const Symbol& symbol) { return a < symbol.low; });
  if (after == symbols_.begin()) return nullptr;
  Symbol& symbol = *(after - 1);
  // Hand-written assembly often has no size. Such a symbol reaches up to the next function.
  if (symbol.high > symbol.low ? address >= symbol.high : FunctionStart(address) > symbol.low) return nullptr;
  if (symbol.function == nullptr) {
    const SourcePlace place =
        dwarf_ != nullptr ? dwarf_->PlaceOfFunction(symbol.low + elf_bias_ - dwarf_bias_) : SourcePlace();
    functions_.push_back({Demangle(symbol.name), symbol.name, place.file, place.line, symbol.low});
    symbol.function = &functions_.back();
  }
  return symbol.function;
}

// 0: not known.
uint64_t DebugFile::FunctionStart(uint64_t address) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), address);
  return after == starts_.begin() ? 0 : *(after - 1);
}

const Function* DebugFile::FindNameless(uint64_t address) {
  const uint64_t start = FunctionStart(address);
  if (start == 0) return nullptr;
  const Function*& function = nameless_[start];
  if (function == nullptr) {
    // The program's entry is the only function whose place tells its name (crt1.o's _start).
    const bool entry = start == program_entry_;
    functions_.push_back({entry ? "_start" : AddressName(path_, start), entry ? "_start" : "", "", 0, start});
    function = &functions_.back();
  }
  return function;
}

std::vector<SourceFrame> DebugFile::Lookup(uint64_t address) {
  std::vector<SourceFrame> frames;
  if (dwarf_ != nullptr) frames = dwarf_->Lookup(address + elf_bias_ - dwarf_bias_);
  // An anonymous outermost scope would hide a name that the symbol table has.
  if (!frames.empty() && !frames.back().function->name.empty()) return frames;
  const Function* symbol = FindSymbol(address);
  if (symbol == nullptr) symbol = FindNameless(address);
  if (symbol == nullptr) return {};
  const SourcePlace place = dwarf_ != nullptr ? dwarf_->PlaceOf(address + elf_bias_ - dwarf_bias_) : SourcePlace();
  frames = {{symbol, place.file, place.line}};
  return frames;
}

std::pair<uint64_t, uint64_t> DebugFile::LookupRange(uint64_t address) {
  const auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                      [](uint64_t a, const Symbol& symbol) { return a < symbol.low; });
  if (after != symbols_.begin() && address < (after - 1)->high) return {(after - 1)->low, (after - 1)->high};
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), address);
  if (next == starts_.begin() || next == starts_.end()) return {0, 0};
  return {*(next - 1), *next};
}

const Function* DebugFile::LexicalParent(uint64_t address, const std::string& file, uint32_t line) {
  return dwarf_ == nullptr ? nullptr : dwarf_->LexicalParent(address + elf_bias_ - dwarf_bias_, file, line);
}

DataSymbols* DebugFile::Data() {
  if (data_ == nullptr) {
    Dwarf_Addr bias = 0;
    Dwarf* dwarf = dwfl_module_getdwarf(module_, &bias);
    data_ = std::make_unique<DataSymbols>(module_, elf_bias_, dwarf, bias);
  }
  return data_.get();
}

DataName DebugFile::LookupData(uint64_t address) { return Data()->Lookup(address); }

void DebugFile::ReadCriticalNames() {
  critical_names_read_ = true;
  critical_names_ = Data()->WithPrefix(kCriticalPrefix);
  // In a shared object, code finds the name through a slot that the loader fills.
  GElf_Addr bias = 0;
  Elf* elf = dwfl_module_getelf(module_, &bias);
  GElf_Ehdr file;
  const uint32_t slot_relocation = gelf_getehdr(elf, &file) != nullptr ? SlotRelocation(file.e_machine) : 0;
  if (slot_relocation == 0) return;
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_RELA || header.sh_entsize == 0) continue;
    GElf_Shdr symbols_header;
    Elf_Scn* symbols_section = elf_getscn(elf, header.sh_link);
    if (symbols_section == nullptr || gelf_getshdr(symbols_section, &symbols_header) == nullptr ||
        symbols_header.sh_type != SHT_DYNSYM)
      continue;
    Elf_Data* entries = elf_getdata(section, nullptr);
    Elf_Data* symbols = elf_getdata(symbols_section, nullptr);
    if (entries == nullptr || symbols == nullptr) continue;
    for (size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Rela entry;
      GElf_Sym symbol;
      if (gelf_getrela(entries, static_cast<int>(i), &entry) == nullptr ||
          GELF_R_TYPE(entry.r_info) != slot_relocation ||
          gelf_getsym(symbols, static_cast<int>(GELF_R_SYM(entry.r_info)), &symbol) == nullptr)
        continue;
      const char* name = elf_strptr(elf, symbols_header.sh_link, symbol.st_name);
      std::string critical;
      if (name != nullptr && CriticalName(name, &critical)) critical_names_.emplace(entry.r_offset, name);
    }
  }
}

std::string DebugFile::LookupCritical(uint64_t call_end) {
  if (!critical_names_read_) ReadCriticalNames();
  return LookupReference(call_end, critical_names_);
}

const AddressNames& DebugFile::Bodies() {
  if (bodies_read_) return bodies_;
  bodies_read_ = true;
  for (const Symbol& symbol : symbols_) {
    if (ParseOutlined(symbol.name).construct != Outlined::kNo) bodies_.emplace(symbol.low, std::to_string(symbol.low));
  }
  return bodies_;
}

uint64_t DebugFile::LookupBody(uint64_t call_end) {
  const MachineCode caller = CodeAt(call_end - 1);
  std::optional<std::string> entry;
  // A function that has left its frame: it has jumped to the runtime, which returns to the function's caller.
  const uint64_t called = CalledFunction(caller.machine, caller.code, call_end);
  if (std::binary_search(starts_.begin(), starts_.end(), called)) {
    const MachineCode left = CodeAt(called);
    entry = NameInJumpArguments(left.machine, left.code, Bodies());
  }
  if (!entry) entry = NameInCallArguments(caller.machine, caller.code, call_end, Bodies());
  return entry->empty() ? 0 : std::stoull(*entry);
}

void DebugFile::ReadUses() {
  uses_read_ = true;
  GElf_Addr bias = 0;
  Elf* elf = dwfl_module_getelf(module_, &bias);
  GElf_Ehdr header;
  size_t segments = 0;
  if (Bodies().empty() || gelf_getehdr(elf, &header) == nullptr || elf_getphdrnum(elf, &segments) != 0) return;
  for (size_t i = 0; i < segments; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr || segment.p_type != PT_LOAD) continue;
    if ((segment.p_flags & PF_X) == 0) continue;
    const Elf_Data* code =
        elf_getdata_rawchunk(elf, static_cast<int64_t>(segment.p_offset), segment.p_filesz, ELF_T_BYTE);
    if (code == nullptr || code->d_buf == nullptr) continue;
    const FunctionCode all = {static_cast<const uint8_t*>(code->d_buf), code->d_size, segment.p_vaddr};
    for (const FunctionUse& use : FunctionUses(header.e_machine, all, Bodies())) uses_.emplace(use.function, use.place);
  }
}

std::vector<uint64_t> DebugFile::LookupUses(uint64_t entry) {
  if (!uses_read_) ReadUses();
  std::vector<uint64_t> places;
  const auto [begin, end] = uses_.equal_range(entry);
  for (auto use = begin; use != end; ++use) places.push_back(use->second);
  return places;
}

uint32_t DebugFile::LookupConstructLine(uint64_t call_end) {
  if (!construct_places_read_) {
    construct_places_read_ = true;
    GElf_Addr bias = 0;
    construct_places_ = ReadConstructPlaces(dwfl_module_getelf(module_, &bias));
  }
  return ConstructLine(LookupReference(call_end, construct_places_));
}

bool DebugFile::LookupAtomic(uint64_t address) {
  const MachineCode function = CodeAt(address);
  return IsAtAtomic(function.machine, function.code, address);
}

// The linked name, of those in `names`, whose address the call before `call_end` receives.
std::string DebugFile::LookupReference(uint64_t call_end, const AddressNames& names) {
  if (names.empty()) return "";
  const MachineCode caller = CodeAt(call_end - 1);
  return NameInCallArguments(caller.machine, caller.code, call_end, names);
}

DebugFile::MachineCode DebugFile::CodeAt(uint64_t address) {
  GElf_Addr bias = 0;
  Elf* elf = dwfl_module_getelf(module_, &bias);
  GElf_Ehdr header;
  const uint64_t begin = FunctionStart(address);
  size_t segments = 0;
  if (begin == 0 || gelf_getehdr(elf, &header) == nullptr || elf_getphdrnum(elf, &segments) != 0) return {};
  // The function: from its beginning to the beginning of the next function.
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), address);
  for (size_t i = 0; i < segments; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr || segment.p_type != PT_LOAD) continue;
    if (begin < segment.p_vaddr || address >= segment.p_vaddr + segment.p_filesz) continue;
    uint64_t end = segment.p_vaddr + segment.p_filesz;
    if (next != starts_.end() && *next < end) end = *next;
    const Elf_Data* code = elf_getdata_rawchunk(elf, static_cast<int64_t>(segment.p_offset + (begin - segment.p_vaddr)),
                                                end - begin, ELF_T_BYTE);
    if (code == nullptr || code->d_buf == nullptr) return {};
    return {header.e_machine, {static_cast<const uint8_t*>(code->d_buf), code->d_size, begin}};
  }
  return {};
}

}  // namespace ompprof::model

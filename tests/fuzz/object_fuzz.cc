// Hostile object files: ELF, symbols, DWARF and the code that gives names, through all of the symbolizer's questions.
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <string>

#include "profiler/model/debug_file.h"

namespace ompprof::model {
namespace {

// A file that is in memory and has a path.
class MemoryFile {
 public:
  MemoryFile(const uint8_t* data, size_t size) : fd_(memfd_create("object", MFD_CLOEXEC)) {
    usable_ = fd_ >= 0 && write(fd_, data, size) == static_cast<ssize_t>(size);
  }
  ~MemoryFile() {
    if (fd_ >= 0) close(fd_);
  }
  bool usable() const { return usable_; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
  bool usable_;
};

// Places where small objects have content, and the place where this object says that it begins.
std::set<uint64_t> Addresses(const uint8_t* data, size_t size) {
  std::set<uint64_t> addresses = {0, 1, UINT64_MAX, uint64_t{1} << 63};
  for (uint64_t at = 0; at < 0x1800; at += 48) addresses.insert(at);
  for (uint64_t at = 0x1800; at < 0x6000; at += 256) addresses.insert(at);
  if (size < sizeof(Elf64_Ehdr)) return addresses;
  Elf64_Ehdr header;
  std::memcpy(&header, data, sizeof header);
  for (uint64_t i = 0; i < 128; i += 8) addresses.insert(header.e_entry + i);
  return addresses;
}

void AskEverything(DebugFile* file, const std::set<uint64_t>& addresses) {
  for (const uint64_t address : addresses) {
    for (const SourceFrame& frame : file->Lookup(address)) {
      file->LexicalParent(address, frame.function->file, frame.line);
      file->CompilationFolders(frame.file);
    }
    file->LookupRange(address);
    file->LookupData(address);
    file->LookupCritical(address);
    file->LookupBody(address);
    file->LookupConstructLine(address);
    file->LookupAtomic(address);
  }
}

}  // namespace
}  // namespace ompprof::model

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ompprof::model;
  const MemoryFile memory(data, size);
  if (!memory.usable()) return 0;
  Status status;
  const auto file = DebugFile::Open(memory.path(), "", &status);
  if ((file == nullptr) == status.ok()) __builtin_trap();  // a file, or why there is none
  if (file != nullptr) AskEverything(file.get(), Addresses(data, size));
  return 0;
}

#include "profiler/model/zstd_sections.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace ompprof::model {
namespace {

constexpr uint32_t kZstd = 2;  // ELFCOMPRESS_ZSTD, of the gABI; older headers do not have it
// A file from somebody else may name any size. zlib's sections can be this many times longer than their compressed
// form.
constexpr uint64_t kMostGrowth = 1032;
constexpr uint64_t kAlignment = 16;

bool ReadAt(int fd, uint64_t offset, void* out, uint64_t size) {
  auto* at = static_cast<char*>(out);
  while (size > 0) {
    const ssize_t got = pread(fd, at, size, static_cast<off_t>(offset));
    if (got <= 0) return false;
    at += got;
    offset += static_cast<uint64_t>(got);
    size -= static_cast<uint64_t>(got);
  }
  return true;
}

struct CompressedSection {
  uint64_t header;  // where its section header is in the file
  uint64_t offset;  // of the compressed bytes, which begin with an Elf64_Chdr
  uint64_t size;
  uint64_t new_offset;  // in the copy
  uint64_t new_size;
  uint64_t new_alignment;
};

// The sections compressed by zstd, and the size of a copy with these behind its end.
std::vector<CompressedSection> FindSections(int fd, uint64_t file_size, uint64_t* copy_size) {
  std::vector<CompressedSection> sections;
  Elf64_Ehdr elf;
  *copy_size = file_size;
  if (!ReadAt(fd, 0, &elf, sizeof elf) || std::memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 ||
      elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_ident[EI_DATA] != ELFDATA2LSB ||
      elf.e_shentsize != sizeof(Elf64_Shdr))
    return {};
  for (uint64_t i = 0; i < elf.e_shnum; ++i) {
    Elf64_Shdr header;
    Elf64_Chdr compression;
    const uint64_t at = elf.e_shoff + i * sizeof header;
    if (!ReadAt(fd, at, &header, sizeof header)) return {};
    if ((header.sh_flags & SHF_COMPRESSED) == 0 || header.sh_type == SHT_NOBITS ||
        header.sh_size < sizeof compression || header.sh_offset > file_size ||
        header.sh_size > file_size - header.sh_offset ||
        !ReadAt(fd, header.sh_offset, &compression, sizeof compression) || compression.ch_type != kZstd)
      continue;
    const uint64_t begin = (*copy_size + kAlignment - 1) / kAlignment * kAlignment;
    const uint64_t size = compression.ch_size / kMostGrowth > header.sh_size ? 0 : compression.ch_size;
    sections.push_back({at, header.sh_offset, header.sh_size, begin, size, compression.ch_addralign});
    *copy_size = begin + size;
  }
  return sections;
}

// The functions of libzstd that are needed (zstd.h).
struct Zstd {
  size_t (*decompress)(void* to, size_t room, const void* from, size_t size) = nullptr;
};

bool LoadZstd(Zstd* zstd) {
  void* library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
  void* function = library != nullptr ? dlsym(library, "ZSTD_decompress") : nullptr;
  if (function == nullptr) return false;
  std::memcpy(&zstd->decompress, &function, sizeof function);
  return true;
}

// Decompresses the section inside the copy. False: the bytes are damaged.
bool Decompress(const Zstd& zstd, const CompressedSection& section, char* copy) {
  const char* from = copy + section.offset + sizeof(Elf64_Chdr);
  const size_t size = section.size - sizeof(Elf64_Chdr);
  // An error is a number near the largest size.
  if (zstd.decompress(copy + section.new_offset, section.new_size, from, size) != section.new_size) return false;
  Elf64_Shdr header;
  std::memcpy(&header, copy + section.header, sizeof header);
  header.sh_flags &= ~uint64_t{SHF_COMPRESSED};
  header.sh_offset = section.new_offset;
  header.sh_size = section.new_size;
  header.sh_addralign = section.new_alignment;
  std::memcpy(copy + section.header, &header, sizeof header);
  return true;
}

}  // namespace

bool HasZstd(int fd) {
  struct stat info;
  uint64_t copy_size = 0;
  return fstat(fd, &info) == 0 && !FindSections(fd, static_cast<uint64_t>(info.st_size), &copy_size).empty();
}

int WithoutZstd(int fd, std::string* reason) {
  struct stat info;
  if (fstat(fd, &info) != 0) return fd;
  const auto file_size = static_cast<uint64_t>(info.st_size);
  uint64_t copy_size = 0;
  const std::vector<CompressedSection> sections = FindSections(fd, file_size, &copy_size);
  if (sections.empty()) return fd;
  Zstd zstd;
  if (!LoadZstd(&zstd)) {
    *reason = "libzstd.so.1 is not installed";
    return fd;
  }
  const int copy_fd = static_cast<int>(syscall(SYS_memfd_create, "sections", MFD_CLOEXEC));
  void* memory = MAP_FAILED;
  if (copy_fd >= 0 && ftruncate(copy_fd, static_cast<off_t>(copy_size)) == 0)
    memory = mmap(nullptr, copy_size, PROT_READ | PROT_WRITE, MAP_SHARED, copy_fd, 0);
  bool whole = memory != MAP_FAILED && ReadAt(fd, 0, memory, file_size);
  *reason = whole ? "" : "there is no memory for it";
  for (const CompressedSection& section : sections) {
    if (!whole) break;
    whole = Decompress(zstd, section, static_cast<char*>(memory));
    if (!whole) *reason = "its bytes are damaged";
  }
  if (memory != MAP_FAILED) munmap(memory, copy_size);
  if (!whole && copy_fd >= 0) close(copy_fd);
  if (!whole) return fd;
  close(fd);
  return copy_fd;
}

}  // namespace ompprof::model

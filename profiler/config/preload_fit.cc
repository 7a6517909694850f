#include "profiler/config/preload_fit.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <initializer_list>

namespace ompprof::config {
namespace {

// As in Linux: scripts whose interpreter is a script again, and the bytes of a script's first line.
constexpr int kMostScripts = 5;
constexpr long kLineBytes = 256;
// Linux refuses programs with more than 64 KiB of program headers.
constexpr unsigned kMostSegments = 65536 / sizeof(Elf64_Phdr);
constexpr unsigned kSegmentsAtOnce = 8;
// A program may call exec on the small stack of a signal handler. Longer paths are rare.
constexpr long kPathBytes = 512;

// The last version of the loader's file name: "ld-2.33.so". Later files have the name of the link.
constexpr char kVersioned[] = "ld-2.";
constexpr unsigned kLeastGlibcMinor = 17;

class File {
 public:
  // Opens nothing but a plain file: to open a FIFO or a device can have effects.
  File(SystemCall call, int folder, const char* path) : call_(call) {
    struct stat status;
    if (call(SYS_newfstatat, folder, reinterpret_cast<long>(path), reinterpret_cast<long>(&status), 0, 0, 0) == 0 &&
        S_ISREG(status.st_mode))
      fd_ = call(SYS_openat, folder, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0, 0, 0);
  }
  ~File() {
    if (fd_ >= 0) call_(SYS_close, fd_, 0, 0, 0, 0, 0);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // The number of bytes, or -errno.
  long Read(void* out, unsigned long size, unsigned long offset) const {
    return call_(SYS_pread64, fd_, reinterpret_cast<long>(out), static_cast<long>(size), static_cast<long>(offset), 0,
                 0);
  }
  template <typename Thing>
  bool ReadAll(Thing* out, unsigned long count, unsigned long offset) const {
    return Read(out, count * sizeof(Thing), offset) == static_cast<long>(count * sizeof(Thing));
  }

 private:
  SystemCall call_;
  long fd_ = -1;
};

const char* FileName(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

bool BeginsWith(const char* text, const char* beginning) { return strncmp(text, beginning, strlen(beginning)) == 0; }

// glibc's loader keeps its name wherever it is installed. ld-lsb: the name of the Linux Standard Base.
bool IsGlibcs(const char* name) {
  for (const char* known : {"ld-linux-x86-64.so.", "ld-lsb-x86-64.so.", "ld.so", kVersioned}) {
    if (BeginsWith(name, known)) return true;
  }
  return false;
}

bool IsTooOld(const char* name) {
  if (!BeginsWith(name, kVersioned)) return false;
  unsigned minor = 0;
  for (const char* digit = name + strlen(kVersioned); *digit >= '0' && *digit <= '9' && minor < 1000; ++digit)
    minor = minor * 10 + static_cast<unsigned>(*digit - '0');
  return minor < kLeastGlibcMinor;
}

// A file's name, and the name that a link of this name leads to ("" if it is no link, or a long one).
struct Names {
  explicit Names(const char* path) : name(FileName(path)) {}
  Names(SystemCall call, int folder, const char* path) : Names(path) {
    const long size =
        call(SYS_readlinkat, folder, reinterpret_cast<long>(path), reinterpret_cast<long>(target), kPathBytes, 0, 0);
    target[size > 0 && size < kPathBytes ? size : 0] = '\0';
    behind = FileName(target);
  }
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  const char* name;
  const char* behind = "";
  char target[kPathBytes];
};

bool IsLoaders(const char* name) { return BeginsWith(name, "ld-") && strstr(name, ".so") != nullptr; }

// On musl's systems, glibc's name may be a link to musl's loader. Before glibc 2.34, it is a link to a name with
// glibc's version.
PreloadFit FitOfLoader(const Names& loader) {
  if (strstr(loader.behind, "musl") != nullptr) return PreloadFit::kOtherLoader;
  if (!IsGlibcs(loader.name) && !IsGlibcs(loader.behind)) return PreloadFit::kOtherLoader;
  return IsTooOld(loader.name) || IsTooOld(loader.behind) ? PreloadFit::kOldLoader : PreloadFit::kFits;
}

// The path of a program's loader; its end, if the path is long.
struct LoaderPath {
  enum { kUnknown, kNone, kEnd, kWhole } found = kUnknown;
  char text[kPathBytes];

  void Read(const File& file, unsigned long offset, unsigned long size) {
    if (size < 2 || size > PATH_MAX) return;  // as Linux
    const unsigned long kept = size < sizeof(text) ? size : sizeof(text);
    if (!file.ReadAll(text, kept, offset + size - kept) || text[kept - 1] != '\0') return;
    found = kept == size ? kWhole : kEnd;
  }
};

template <typename Header, typename Segment>
void FindLoader(const File& file, LoaderPath* loader) {
  Header header;
  if (!file.ReadAll(&header, 1, 0) || header.e_phentsize != sizeof(Segment) || header.e_phnum > kMostSegments) return;
  Segment segments[kSegmentsAtOnce];
  for (unsigned first = 0; first < header.e_phnum; first += kSegmentsAtOnce) {
    const unsigned left = header.e_phnum - first;
    const unsigned count = left < kSegmentsAtOnce ? left : kSegmentsAtOnce;
    if (!file.ReadAll(segments, count, header.e_phoff + first * sizeof(Segment))) return;
    for (unsigned i = 0; i < count; ++i) {
      if (segments[i].p_type == PT_INTERP) return loader->Read(file, segments[i].p_offset, segments[i].p_filesz);
    }
  }
  loader->found = LoaderPath::kNone;
}

bool IsForX86_64(const File& file, bool is_64) {
  Elf64_Half machine = EM_NONE;
  return is_64 && file.ReadAll(&machine, 1, offsetof(Elf64_Ehdr, e_machine)) && machine == EM_X86_64;
}

// For a file without a loader. A loader can be executed too, with the program as an argument.
PreloadFit FitWithoutLoader(const Names& file, bool is_ours) {
  if (!IsLoaders(file.name) && !IsLoaders(file.behind)) return PreloadFit::kStatic;
  if (!is_ours) return PreloadFit::kOtherMachine;
  const PreloadFit fit = FitOfLoader(file);
  return fit == PreloadFit::kFits ? PreloadFit::kStatic : fit;
}

PreloadFit FitOfElf(SystemCall call, int folder, const char* path, const File& file, const unsigned char* ident) {
  if (ident[EI_DATA] != ELFDATA2LSB) return PreloadFit::kOtherMachine;
  const bool is_64 = ident[EI_CLASS] == ELFCLASS64;
  LoaderPath loader;
  if (is_64)
    FindLoader<Elf64_Ehdr, Elf64_Phdr>(file, &loader);
  else
    FindLoader<Elf32_Ehdr, Elf32_Phdr>(file, &loader);
  if (loader.found == LoaderPath::kUnknown) return PreloadFit::kUnknown;
  const bool is_ours = IsForX86_64(file, is_64);
  if (loader.found == LoaderPath::kNone) return FitWithoutLoader(Names(call, folder, path), is_ours);
  if (!is_ours) return PreloadFit::kOtherMachine;
  if (loader.found == LoaderPath::kEnd) return FitOfLoader(Names(loader.text));
  return FitOfLoader(Names(call, AT_FDCWD, loader.text));
}

// The interpreter in a script's first line, which ends with `end`; NULL if there is none. Changes the line.
char* Interpreter(char* line, char* end) {
  char* at = line + 2;
  while (at < end && (*at == ' ' || *at == '\t')) ++at;
  char* const name = at;
  while (at < end && *at != ' ' && *at != '\t' && *at != '\n' && *at != '\0') ++at;
  *at = '\0';
  return at == name ? nullptr : name;
}

}  // namespace

PreloadFit FitOfProgram(SystemCall call, int folder, const char* path, bool by_shell) {
  char lines[2][kLineBytes + 1];  // one of them has `path`
  for (int scripts = 0; scripts <= kMostScripts; ++scripts) {
    const File file(call, folder, path);
    char* const line = lines[scripts % 2];
    const long size = file.Read(line, kLineBytes, 0);
    if (size < 0) return PreloadFit::kUnknown;
    if (size > EI_NIDENT && memcmp(line, ELFMAG, SELFMAG) == 0) {
      const PreloadFit fit = FitOfElf(call, folder, path, file, reinterpret_cast<const unsigned char*>(line));
      // The programs that a static shell starts for its script fit.
      return fit == PreloadFit::kStatic && scripts > 0 ? PreloadFit::kFits : fit;
    }
    if (size > 2 && memcmp(line, "#!", 2) == 0) {
      path = Interpreter(line, line + size);
    } else {
      path = by_shell ? "/bin/sh" : nullptr;
      by_shell = false;
    }
    if (path == nullptr) return PreloadFit::kUnknown;
    folder = AT_FDCWD;
  }
  return PreloadFit::kUnknown;
}

const char* WhyNoPreload(PreloadFit fit) {
  switch (fit) {
    case PreloadFit::kFits:
    case PreloadFit::kUnknown:
      return nullptr;
    case PreloadFit::kStatic:
      return "the program is statically linked";
    case PreloadFit::kOtherMachine:
      return "the program is not for x86-64";
    case PreloadFit::kOtherLoader:
      return "the program's loader is not glibc's";
    case PreloadFit::kOldLoader:
      return "the program's glibc is older than 2.17";
  }
  return nullptr;
}

}  // namespace ompprof::config

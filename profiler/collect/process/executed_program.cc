#include "profiler/collect/process/executed_program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <initializer_list>
#include <new>

#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/seal.h"
#include "profiler/collect/process/environment.h"
#include "profiler/collect/thread/session.h"
#include "profiler/config/preload_fit.h"

namespace ompprof::collect {
namespace {

// Reasons that this process has given, a bit each: those of PreloadFit, then those of Sight.
std::atomic<uint32_t> given_reasons{0};

// NULL: nothing is told of own environments. Shared with forked children, of which a program may start many.
std::atomic<bool>* told_of_own_environment = nullptr;

enum class Sight : uint8_t { kThere, kGone, kForbidden };

// Whether this library's file can be opened: the process may have changed its root directory or its user.
Sight SightOfOwnFile() {
  const char* path = OwnFile();
  if (path[0] != '/') return Sight::kThere;
  const long fd = RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC, 0);
  if (fd >= 0) RawSyscall(SYS_close, fd);
  if (fd == -ENOENT || fd == -ENOTDIR) return Sight::kGone;
  return fd == -EACCES ? Sight::kForbidden : Sight::kThere;
}

bool IsProgram(int folder, const char* path) {
  struct stat status;
  return FileStatus(folder, path, 0, &status) == 0 && S_ISREG(status.st_mode) &&
         RawSyscall(SYS_faccessat, folder, reinterpret_cast<long>(path), X_OK) == 0;
}

constexpr char kStandardPath[] = "/bin:/usr/bin";

const char* SearchPath() {
  const char* path = getenv("PATH");
  return path != nullptr ? path : kStandardPath;
}

// The bytes of the longest path that FindInPath tries.
size_t LongestTry(const char* name) {
  size_t longest = 0;
  for (const char* folder = SearchPath();; ++folder) {
    const size_t size = strcspn(folder, ":");
    if (size > longest && size < PATH_MAX) longest = size;
    folder += size;
    if (*folder == '\0') return longest + 1 + strlen(name) + 1;
  }
}

// The file that execvp runs for `name`; NULL if there is none. `out` has LongestTry(name) bytes.
const char* FindInPath(const char* name, char* out) {
  for (const char* folder = SearchPath();; ++folder) {
    const size_t size = strcspn(folder, ":");
    if (size < PATH_MAX) {
      memcpy(out, folder, size);
      if (size != 0) out[size] = '/';
      strcpy(out + size + (size != 0 ? 1 : 0), name);
      if (IsProgram(AT_FDCWD, out)) return out;
    }
    folder += size;
    if (*folder == '\0') return nullptr;
  }
}

// Says a sentence, unless the process has said it, or would not be recorded anyway (--no-children).
void Say(uint32_t reason, bool child, std::initializer_list<const char*> sentence) {
  if ((child || session.pid != RawSyscall(SYS_getpid)) && !session.config.children) return;
  if ((given_reasons.fetch_or(1u << reason, std::memory_order_relaxed) & 1u << reason) == 0) WarnOf(sentence);
}

// The file that the call of `program` executes; NULL if there is none. `out` has room for a file in PATH.
const char* FileOf(const ExecutedProgram& program, bool search, char* out) {
  return search ? FindInPath(program.path, out) : program.path;
}

void TellOfOwnEnvironment(const char* path, bool child) {
  if (child && !session.config.children) return;
  if (told_of_own_environment->exchange(true, std::memory_order_relaxed)) return;
  constexpr char kWhy[] = "and what it starts run unprofiled: their environment does not load ompprof (LD_PRELOAD)";
  WarnOf({"'", path, "' ", kWhy});
  AddNote("'%s' %s", path, kWhy);
}

}  // namespace

DescriptorPath::DescriptorPath(int fd) : path("/proc/self/fd/") {
  char digits[12];
  int count = 0;
  for (unsigned rest = static_cast<unsigned>(fd); count == 0 || rest != 0; rest /= 10)
    digits[count++] = static_cast<char>('0' + rest % 10);
  char* end = path + strlen(path);
  while (count > 0) *end++ = digits[--count];
  *end = '\0';
}

bool MustRunWithoutUs(const ExecutedProgram& program, char* const* environment, bool child) {
  const bool names_us = NamesUs(environment);
  if (!names_us && told_of_own_environment == nullptr) return false;
  const InsideSeal inside;
  if (inside.sealed()) return names_us;
  const bool search = program.searched && strchr(program.path, '/') == nullptr;
  char* const memory = search ? static_cast<char*>(__builtin_alloca(LongestTry(program.path))) : nullptr;
  if (!names_us) {
    const char* path = FileOf(program, search, memory);
    if (path != nullptr && IsProgram(program.folder, path)) TellOfOwnEnvironment(path, child);
    return false;
  }
  constexpr uint32_t kSights = 16;
  const Sight sight = SightOfOwnFile();
  if (sight == Sight::kGone) {
    Say(kSights, child,
        {"a program in another root directory runs unprofiled, because ", OwnFile(),
         " is not there. Mount it, or record inside"});
    return true;
  }
  if (sight == Sight::kForbidden) {
    Say(kSights + 1, child, {"a program of another user runs unprofiled, because this user may not read ", OwnFile()});
    return true;
  }
  const char* path = FileOf(program, search, memory);
  if (path == nullptr) return false;
  const config::PreloadFit fit = config::FitOfProgram(RawSyscall, program.folder, path, program.searched);
  const char* why = config::WhyNoPreload(fit);
  if (why == nullptr || fit == config::PreloadFit::kStatic) return false;
  Say(static_cast<uint32_t>(fit), child, {"'", path, "' and what it starts run unprofiled: ", why});
  return true;
}

void TellOfOwnEnvironments() {
  const char* recorded = getenv("OMPPROF_MAIN_PID");
  if (recorded == nullptr || atoi(recorded) != session.pid || !NamesUs(__environ)) return;
  void* shared =
      mmap(nullptr, sizeof(*told_of_own_environment), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared != MAP_FAILED) told_of_own_environment = new (shared) std::atomic<bool>{};
}

}  // namespace ompprof::collect

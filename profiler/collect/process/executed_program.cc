#include "profiler/collect/process/executed_program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <initializer_list>

#include "profiler/collect/base/os.h"
#include "profiler/collect/base/seal.h"
#include "profiler/collect/process/environment.h"
#include "profiler/collect/thread/session.h"
#include "profiler/config/preload_fit.h"

namespace ompprof::collect {
namespace {

// Reasons that this process has given, a bit each: those of PreloadFit, then those of Sight.
std::atomic<uint32_t> given_reasons{0};

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

bool IsProgram(const char* path) {
  struct stat status;
  return FileStatus(AT_FDCWD, path, 0, &status) == 0 && S_ISREG(status.st_mode) &&
         RawSyscall(SYS_faccessat, AT_FDCWD, reinterpret_cast<long>(path), X_OK) == 0;
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
      if (IsProgram(out)) return out;
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
  if (!NamesUs(environment)) return false;
  const InsideSeal inside;
  if (inside.sealed()) return true;
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
  const bool search = program.searched && strchr(program.path, '/') == nullptr;
  const char* path =
      search ? FindInPath(program.path, static_cast<char*>(__builtin_alloca(LongestTry(program.path)))) : program.path;
  if (path == nullptr) return false;
  const config::PreloadFit fit = config::FitOfProgram(RawSyscall, program.folder, path, program.searched);
  const char* why = config::WhyNoPreload(fit);
  if (why == nullptr || fit == config::PreloadFit::kStatic) return false;
  Say(static_cast<uint32_t>(fit), child, {"'", path, "' and what it starts run unprofiled: ", why});
  return true;
}

}  // namespace ompprof::collect

#include "profiler/collect/write/perf_map.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {
namespace {

// Files have the time of the kernel's last tick, which may be before the process's start.
constexpr int64_t kTickNs = 20000000;

// Whether the file may be this process's. Everyone may write to /tmp.
bool IsOfProcess(long fd, int64_t start_unix_ns) {
  struct stat info;
  if (RawSyscall(SYS_fstat, fd, reinterpret_cast<long>(&info)) != 0) return false;
  const int64_t written_ns = int64_t{info.st_mtim.tv_sec} * 1000000000 + info.st_mtim.tv_nsec;
  return S_ISREG(info.st_mode) && info.st_uid == geteuid() && written_ns >= start_unix_ns - kTickNs;
}

}  // namespace

size_t PerfMap::ReadMore(pid_t pid, int64_t start_unix_ns, char* out, size_t size) {
  if (pid_ != pid) {  // the first call in this process, or in a forked child
    pid_ = pid;
    offset_ = 0;
  }
  if (offset_ >= kMostText) return 0;
  if (size > kMostText - offset_) size = kMostText - offset_;
  char path[32];
  snprintf(path, sizeof(path), "/tmp/perf-%d.map", pid);
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  const long fd = RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), kFlags, 0);
  if (fd < 0) return 0;
  long got = 0;
  if (IsOfProcess(fd, start_unix_ns))
    got = RawSyscall(SYS_pread64, fd, reinterpret_cast<long>(out), static_cast<long>(size), static_cast<long>(offset_));
  RawSyscall(SYS_close, fd);
  if (got <= 0) return 0;
  offset_ += static_cast<uint64_t>(got);
  return static_cast<size_t>(got);
}

}  // namespace ompprof::collect

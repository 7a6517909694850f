#include "profiler/collect/write/generated/code_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {
namespace {

// Files have the time of the kernel's last tick, which may be before the process's start.
constexpr int64_t kTickNs = 20000000;

bool IsOfProcess(long fd, int64_t start_unix_ns) {
  struct stat info;
  if (RawSyscall(SYS_fstat, fd, reinterpret_cast<long>(&info)) != 0) return false;
  const int64_t written_ns = int64_t{info.st_mtim.tv_sec} * 1000000000 + info.st_mtim.tv_nsec;
  return S_ISREG(info.st_mode) && info.st_uid == geteuid() && written_ns >= start_unix_ns - kTickNs;
}

}  // namespace

bool CodeFile::Open(const char* path, int64_t start_unix_ns) {
  if (is_open()) return true;
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  const long fd = RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), kFlags, 0);
  if (fd < 0) return false;
  fd_ = static_cast<int>(fd);
  if (!IsOfProcess(fd, start_unix_ns)) Close();
  return is_open();
}

size_t CodeFile::Read(uint64_t offset, void* out, size_t size) const {
  if (!is_open()) return 0;
  const long got =
      RawSyscall(SYS_pread64, fd_, reinterpret_cast<long>(out), static_cast<long>(size), static_cast<long>(offset));
  return got > 0 ? static_cast<size_t>(got) : 0;
}

void CodeFile::Close() {
  if (is_open()) RawSyscall(SYS_close, fd_);
  fd_ = -1;
}

}  // namespace ompprof::collect

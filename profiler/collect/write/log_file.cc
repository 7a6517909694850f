#include "profiler/collect/write/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "profiler/collect/os.h"

namespace ompprof::collect {
namespace {

long OpenAt(const char* path, int flags) {
  return RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), flags, 0666);
}

}  // namespace

int LogFile::Open(const char* path) {
  long fd = OpenAt(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND);
  regular_ = fd >= 0;
  if (fd == -EEXIST) {
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
      fd = OpenAt(path, O_WRONLY | O_CLOEXEC);
  }
  if (fd < 0) return static_cast<int>(fd);
  fd_ = static_cast<int>(fd);
  size_ = 0;
  return 0;
}

int LogFile::Append(const void* data, size_t size) {
  size_t done = 0;
  while (done < size) {
    const long wrote = RawSyscall(SYS_write, fd_, reinterpret_cast<long>(static_cast<const char*>(data) + done),
                                  static_cast<long>(size - done));
    if (wrote == -EINTR) continue;
    if (wrote <= 0) {
      // A part of it is worse than none: it would be written again by the next try.
      if (done > 0 && regular_) RawSyscall(SYS_ftruncate, fd_, static_cast<long>(size_));
      return wrote == 0 ? -EIO : static_cast<int>(wrote);
    }
    done += static_cast<size_t>(wrote);
  }
  size_ += size;
  return 0;
}

int LogFile::OpenAgain(int tid) const {
  char path[64];
  snprintf(path, sizeof(path), "/proc/self/task/%d/fd/%d", tid, fd_);
  return static_cast<int>(OpenAt(path, O_WRONLY | O_CLOEXEC | (regular_ ? O_APPEND : 0)));
}

void LogFile::Close() {
  if (fd_ >= 0) RawSyscall(SYS_close, fd_);
  fd_ = -1;
}

}  // namespace ompprof::collect

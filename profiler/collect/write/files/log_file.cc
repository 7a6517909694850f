#include "profiler/collect/write/files/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {
namespace {

long OpenAt(const char* path, int flags) {
  return RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), flags, 0666);
}

}  // namespace

// A file without a name, in the directory of `path`. 0 or -errno: not every file system has such files.
int LogFile::OpenNameless(const char* path) {
  char directory[PATH_MAX];
  const char* slash = strrchr(path, '/');
  const size_t length = slash != nullptr ? static_cast<size_t>(slash - path) : 0;
  if (length >= sizeof(directory)) return -ENAMETOOLONG;
  memcpy(directory, path, length);
  if (length == 0) directory[0] = slash != nullptr ? '/' : '.';
  directory[length != 0 ? length : 1] = '\0';
  const long fd = OpenAt(directory, O_RDWR | O_TMPFILE | O_CLOEXEC | O_APPEND);
  if (fd < 0) return static_cast<int>(fd);
  fd_ = static_cast<int>(fd);
  return 0;
}

int LogFile::LinkTo(const char* path) const {
  char self[64];
  snprintf(self, sizeof(self), "/proc/thread-self/fd/%d", fd_);
  return static_cast<int>(RawSyscall(SYS_linkat, AT_FDCWD, reinterpret_cast<long>(self), AT_FDCWD,
                                     reinterpret_cast<long>(path), AT_SYMLINK_FOLLOW));
}

int LogFile::Open(const char* path, const void* first, size_t first_size) {
  size_ = 0;
  regular_ = true;
  // File systems slow down by nameless files that are made for nothing.
  struct stat status;
  const bool is_there = FileStatus(AT_FDCWD, path, 0, &status) == 0;
  if (is_there && S_ISREG(status.st_mode)) return -EEXIST;
  if (!is_there && OpenNameless(path) == 0) {
    const int failure = Append(first, first_size);
    const int linked = failure == 0 ? LinkTo(path) : failure;
    if (linked == 0) return 0;
    Close();
    if (failure != 0) return failure;
    size_ = 0;
  }
  long fd = OpenAt(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND);
  if (fd == -EEXIST) {
    if (FileStatus(AT_FDCWD, path, 0, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
      // A pipe without a reader is an error. The program must not wait for a reader.
      regular_ = false;
      fd = OpenAt(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
      if (fd >= 0) RawSyscall(SYS_fcntl, fd, F_SETFL, 0);
    }
  }
  if (fd < 0) return static_cast<int>(fd);
  fd_ = static_cast<int>(fd);
  const int failure = Append(first, first_size);
  if (failure == 0) return 0;
  if (regular_) unlink(path);
  Close();
  return failure;
}

int LogFile::Append(const void* data, size_t size) {
  size_t done = 0;
  while (done < size) {
    const long wrote = RawSyscall(SYS_write, fd_, reinterpret_cast<long>(static_cast<const char*>(data) + done),
                                  static_cast<long>(size - done));
    if (wrote == -EINTR) continue;
    if (wrote <= 0) {
      // A part of the record must go: the next try would write it again.
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
  return static_cast<int>(OpenAt(path, regular_ ? O_RDWR | O_CLOEXEC | O_APPEND : O_WRONLY | O_CLOEXEC));
}

bool LogFile::IsSame(int fd) const {
  struct stat status;
  return FileStatus(fd, "", AT_EMPTY_PATH, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

void LogFile::Remember() {
  struct stat status;
  if (FileStatus(fd_, "", AT_EMPTY_PATH, &status) != 0) return;
  device_ = status.st_dev;
  inode_ = status.st_ino;
}

bool LogFile::CloseForNow(const char* path) {
  const int before = fd_;
  if (!regular_ || OpenByName(path) != 0) return false;
  RawSyscall(SYS_close, before);
  Close();
  return true;
}

int LogFile::OpenByName(const char* path) {
  const long fd = OpenAt(path, O_RDWR | O_CLOEXEC | O_APPEND | O_NONBLOCK);
  if (fd < 0) return static_cast<int>(fd);
  if (!IsSame(static_cast<int>(fd))) {
    RawSyscall(SYS_close, fd);
    return -ESTALE;
  }
  fd_ = static_cast<int>(fd);
  return 0;
}

bool LogFile::WasTaken() const { return fd_ >= 0 && inode_ != 0 && !IsSame(fd_); }

void LogFile::Close() {
  if (fd_ >= 0) RawSyscall(SYS_close, fd_);
  fd_ = -1;
}

}  // namespace ompprof::collect

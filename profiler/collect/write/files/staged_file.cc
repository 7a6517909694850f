#include "profiler/collect/write/files/staged_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/collect/base/os.h"
#include "profiler/config/stage.h"

namespace ompprof::collect {
namespace {

constexpr int kMostTries = 100;

long OpenAt(const char* path, int flags) {
  return RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), flags | O_CLOEXEC, 0666);
}

// The folder of `path` without links and points, and the file's name behind it: the name of the file wherever the
// process may go. 0 or -errno.
int Canonical(const char* path, char* canonical, size_t size) {
  const char* slash = strrchr(path, '/');
  if (slash == nullptr) return -EINVAL;
  const auto length = static_cast<size_t>(slash - path);
  if (length + 1 >= size) return -ENAMETOOLONG;
  memcpy(canonical, path, length);
  canonical[length] = '\0';
  const long folder = OpenAt(length == 0 ? "/" : canonical, O_PATH | O_DIRECTORY);
  if (folder < 0) return static_cast<int>(folder);
  char self[64];
  snprintf(self, sizeof self, "/proc/thread-self/fd/%ld", folder);
  const ssize_t found = readlink(self, canonical, size);
  const int error = errno;
  RawSyscall(SYS_close, folder);
  if (found < 0) return -error;
  size_t used = found == 1 ? 0 : static_cast<size_t>(found);  // the root
  if (used + strlen(slash) >= size) return -ENAMETOOLONG;
  strcpy(canonical + used, slash);
  return 0;
}

// Makes the folders of `path` behind its first `from` bytes.
int MakeFolders(char* path, size_t from) {
  for (char* slash = strchr(path + from + 1, '/'); slash != nullptr; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    const int error = mkdir(path, 0700) == 0 ? 0 : errno;
    *slash = '/';
    if (error != 0 && error != EEXIST) return -error;
  }
  return 0;
}

// The folder of this user. Others may write to /tmp: a folder of that name must be ours alone.
int MakeRoot(const char* root) {
  if (mkdir(root, 0700) != 0 && errno != EEXIST) return -errno;
  struct stat status;
  if (const int error = FileStatus(AT_FDCWD, root, AT_SYMLINK_NOFOLLOW, &status); error != 0) return error;
  const bool ours = S_ISDIR(status.st_mode) && status.st_uid == geteuid() && (status.st_mode & 0077) == 0;
  return ours ? 0 : -EPERM;
}

// A file of that name is of an earlier run, and nobody has copied it.
int OpenNew(LogFile* file, const char* path, const void* first, size_t size) {
  const int error = file->Open(path, first, size);
  if (error != -EEXIST) return error;
  char aside[PATH_MAX + 8];
  snprintf(aside, sizeof aside, "%s.old", path);
  if (rename(path, aside) != 0) return -errno;
  return file->Open(path, first, size);
}

}  // namespace

int StagedFile::Begin(const char* folder, const char* path, const void* first, size_t size, LogFile* file) {
  struct stat status;
  char final_path[PATH_MAX];
  if (const int error = FileStatus(file->descriptor(), "", AT_EMPTY_PATH, &status); error != 0) return error;
  if (!S_ISREG(status.st_mode)) return 0;
  if (const int error = Canonical(path, final_path, sizeof final_path); error != 0) return error;
  if (!config::StageRoot(folder, geteuid(), path_, sizeof path_)) return -ENAMETOOLONG;
  root_size_ = strlen(path_);
  if (root_size_ + strlen(final_path) >= sizeof path_) return -ENAMETOOLONG;
  if (const int error = MakeRoot(path_); error != 0) return error;
  strcpy(path_ + root_size_, final_path);
  LogFile staged;
  int error = -ENOENT;
  // Another process may remove the folders as soon as it needs them no more.
  for (int tries = 0; error == -ENOENT && tries < kMostTries; ++tries) {
    error = MakeFolders(path_, root_size_);
    if (error == 0) error = OpenNew(&staged, path_, first, size);
  }
  if (error != 0) return error;
  // `record` may look at the lock just now.
  for (int tries = 0; tries < kMostTries && RawSyscall(SYS_flock, staged.descriptor(), LOCK_EX | LOCK_NB) != 0; ++tries)
    RawSyscall(SYS_sched_yield);
  file->Close();
  *file = staged;
  header_size_ = size;
  active_ = true;
  return 0;
}

// Whether no other file is at `path`: the file there begins as the profile does, with its process, its run and its
// start. Another run may have moved the file aside, and have a profile of its own there.
bool StagedFile::IsOurs(const char* path, const LogFile& file) const {
  constexpr size_t kEnough = 4096;
  char there[kEnough], here[kEnough];
  const size_t wanted = header_size_ < kEnough ? header_size_ : kEnough;
  const long from = OpenAt(path, O_RDONLY | O_NONBLOCK);
  if (from < 0) return from == -ENOENT;
  const auto read = [wanted](long fd, char* bytes) {
    const auto size = static_cast<long>(wanted);
    return RawSyscall(SYS_pread64, fd, reinterpret_cast<long>(bytes), size, 0) == size;
  };
  const bool ours = read(from, there) && read(file.descriptor(), here) && memcmp(there, here, wanted) == 0;
  RawSyscall(SYS_close, from);
  return ours;
}

int StagedFile::CopyTo(int to, const LogFile& file) {
  static char piece[64 << 10];  // one writer thread
  uint64_t done = 0;
  while (done < file.size()) {
    const uint64_t left = file.size() - done;
    const long got = RawSyscall(SYS_pread64, file.descriptor(), reinterpret_cast<long>(piece),
                                static_cast<long>(left < sizeof piece ? left : sizeof piece), static_cast<long>(done));
    if (got == -EINTR) continue;
    if (got <= 0) return got == 0 ? -EIO : static_cast<int>(got);
    for (long written = 0; written < got;) {
      const long wrote = RawSyscall(SYS_write, to, reinterpret_cast<long>(piece + written), got - written);
      if (wrote == -EINTR) continue;
      if (wrote <= 0) return wrote == 0 ? -EIO : static_cast<int>(wrote);
      written += wrote;
    }
    done += static_cast<uint64_t>(got);
    pieces_.fetch_add(1, std::memory_order_relaxed);
  }
  return 0;
}

int StagedFile::Publish(const LogFile& file) {
  const char* final_path = path_ + root_size_;
  if (!IsOurs(final_path, file)) return -ESTALE;
  // The name is this process's, and so is the name of the copy.
  char part[PATH_MAX + 8];
  snprintf(part, sizeof part, "%s%s", final_path, config::kPartSuffix);
  const long to = OpenAt(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  if (to < 0) return static_cast<int>(to);
  int error = CopyTo(static_cast<int>(to), file);
  // A file system over the network may tell of a full disk here.
  const long closed = RawSyscall(SYS_close, to);
  if (error == 0 && closed < 0) error = static_cast<int>(closed);
  if (error == 0 && rename(part, final_path) != 0) error = -errno;
  if (error != 0) unlink(part);
  return error;
}

void StagedFile::Remove() {
  unlink(path_);
  for (char* slash = strrchr(path_, '/'); slash != nullptr && slash > path_ + root_size_; slash = strrchr(path_, '/')) {
    *slash = '\0';
    if (rmdir(path_) != 0) return;
  }
}

}  // namespace ompprof::collect

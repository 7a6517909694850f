#include "profiler/model/replacement_file.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ompprof::model {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 20;

}  // namespace

bool IsSameFile(const std::string& a, const std::string& b) {
  struct stat info_a;
  struct stat info_b;
  return stat(a.c_str(), &info_a) == 0 && stat(b.c_str(), &info_b) == 0 && info_a.st_dev == info_b.st_dev &&
         info_a.st_ino == info_b.st_ino;
}

Status ReplacementFile::Failed(const char* what, int error) const {
  return Status(path_ + ": " + what + ": " + std::strerror(error));
}

Status ReplacementFile::Open(const std::string& path) {
  path_ = target_ = path;
  char resolved[PATH_MAX];
  if (realpath(path.c_str(), resolved) != nullptr) target_ = resolved;
  struct stat info;
  const bool there = stat(target_.c_str(), &info) == 0;
  if (there && S_ISDIR(info.st_mode)) return Failed("cannot be written", EISDIR);
  if (there && !S_ISREG(info.st_mode)) {
    fd_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    return fd_ >= 0 ? Status() : Failed("cannot be written", errno);
  }
  temporary_ = target_ + "." + std::to_string(getpid()) + ".part";
  fd_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd_ >= 0) return Status();
  const int error = errno;
  temporary_.clear();
  return Failed("cannot be written", error);
}

Status ReplacementFile::Append(std::string_view bytes) {
  buffer_.append(bytes);
  size_ += bytes.size();
  return buffer_.size() < kBufferBytes ? Status() : Flush();
}

Status ReplacementFile::Flush() {
  size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t wrote = write(fd_, buffer_.data() + done, buffer_.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return Failed("cannot be written", wrote == 0 ? EIO : errno);
    done += static_cast<size_t>(wrote);
  }
  buffer_.clear();
  return Status();
}

Status ReplacementFile::Commit() {
  if (Status flushed = Flush(); !flushed.ok()) return flushed;
  // Some file systems report a full disk only here.
  if (!temporary_.empty() && fsync(fd_) != 0) return Failed("cannot be written", errno);
  const int closed = close(fd_);
  fd_ = -1;
  if (closed != 0) return Failed("cannot be written", errno);
  if (temporary_.empty()) return Status();
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) return Failed("cannot be replaced", errno);
  temporary_.clear();
  return Status();
}

ReplacementFile::~ReplacementFile() {
  if (fd_ >= 0) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

}  // namespace ompprof::model

#include "profiler/model/file_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace ompprof::model {
namespace {

struct Descriptor {
  int fd;
  explicit Descriptor(int number) : fd(number) {}
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

}  // namespace

Status OpenFileSource(const std::string& path, ByteSource* source) {
  auto file = std::make_shared<Descriptor>(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info;
  int error = 0;
  if (file->fd < 0 || fstat(file->fd, &info) != 0)
    error = errno;
  else if (S_ISDIR(info.st_mode))
    error = EISDIR;
  if (error != 0) return Status(path + ": cannot be opened: " + std::strerror(error));
  *source = [file](char* buffer, size_t size) {
    long got;
    do {
      got = read(file->fd, buffer, size);
    } while (got < 0 && errno == EINTR);
    return got;
  };
  return Status();
}

}  // namespace ompprof::model

// A file of the program, read outside the handler by system calls of our own.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_FILE_READER_H_
#define OMPPROF_PROFILER_COLLECT_BASE_FILE_READER_H_

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {

// The file may change or go meanwhile, so it is read, not mapped. Open for as long as the object lives.
class FileReader {
 public:
  explicit FileReader(const char* path)
      : file_(RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC)) {}
  ~FileReader() {
    if (file_ >= 0) RawSyscall(SYS_close, file_);
  }
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  // Returns the number of bytes that were there; 0 also if the file could not be opened.
  size_t ReadSome(uint64_t offset, void* out, size_t size) const {
    const long got = file_ < 0 ? -1
                               : RawSyscall(SYS_pread64, file_, reinterpret_cast<long>(out), static_cast<long>(size),
                                            static_cast<long>(offset));
    return got > 0 ? static_cast<size_t>(got) : 0;
  }
  template <typename Value>
  bool Read(uint64_t offset, Value* out) const {
    return ReadSome(offset, out, sizeof *out) == sizeof *out;
  }

 private:
  const long file_;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_FILE_READER_H_

// A file in which the process names code that it generates: a perf map or a jitdump. The writer keeps the file open
// from the first sight of it, because the program may delete the file at its exit. Writer thread only, which has its
// own descriptors.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_GENERATED_CODE_FILE_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_GENERATED_CODE_FILE_H_

#include <stddef.h>
#include <stdint.h>

namespace ompprof::collect {

class CodeFile {
 public:
  // Opens the file, unless it is open. False: there is no such file, or it is not a file that this user's process has
  // written since `start_unix_ns`. Follows no link: everyone may write to /tmp.
  bool Open(const char* path, int64_t start_unix_ns);
  bool is_open() const { return fd_ >= 0; }

  // Reads from `offset`. The number of bytes; 0: there are none, yet.
  size_t Read(uint64_t offset, void* out, size_t size) const;

  void Close();

  // The descriptor's table is gone.
  void Forget() { fd_ = -1; }

 private:
  int fd_ = -1;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_GENERATED_CODE_FILE_H_

// The profile's file. Whole records are appended, or nothing. Only for the writer thread, which has its own
// descriptors.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_FILES_LOG_FILE_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_FILES_LOG_FILE_H_

#include <stddef.h>
#include <stdint.h>

namespace ompprof::collect {

class LogFile {
 public:
  // Opens a new file and writes `first` to it. Opens no existing file, unless it is a device or a pipe. A reader that
  // finds the file also finds `first` in it, where the file system permits this, even if the process is killed
  // meanwhile. Returns 0 or -errno; on an error there is no file.
  int Open(const char* path, const void* first, size_t first_size);
  bool is_open() const { return fd_ >= 0; }

  // A regular file can be read as well, by descriptor().

  // Appends `size` bytes: all, or (as far as the system allows) none. Returns 0 or -errno.
  int Append(const void* data, size_t size);

  void Close();

  // For a caller that carries the file into another descriptor table. descriptor(): the descriptor (negative: no file).
  // OpenAgain: another descriptor for the file in the caller's table (or -errno). Adopt: gives the file's number from
  // now on.
  int descriptor() const { return fd_; }
  int OpenAgain(int tid) const;  // `tid`: a thread that has descriptor()
  void Adopt(int fd) { fd_ = fd; }

  // For a file in a table that other code uses. Remember comes first. CloseForNow closes the file; false: the file
  // cannot be opened again by the name `path`, and stays open. OpenByName opens that same file again. Returns 0 or
  // -errno. WasTaken: the descriptor is now another file's, or closed.
  void Remember();
  bool CloseForNow(const char* path);
  int OpenByName(const char* path);
  bool WasTaken() const;

  uint64_t size() const { return size_; }

 private:
  int OpenNameless(const char* path);
  int LinkTo(const char* path) const;

  int fd_ = -1;
  bool IsSame(int fd) const;

  bool regular_ = false;
  uint64_t device_ = 0;  // of the file at Remember; 0: none
  uint64_t inode_ = 0;
  uint64_t size_ = 0;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_FILES_LOG_FILE_H_

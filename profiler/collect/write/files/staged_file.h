// With --stage, the profile grows in a folder of the node, and is copied to its own name at the end. Only for the
// writer thread, except for pieces().
//
// The name is taken at the beginning, by a file with the profile's header. The file that is to become
// /scratch/run/17.ompprof is /tmp/ompprof-UID/scratch/run/17.ompprof meanwhile, if the folder is /tmp. The process
// holds the lock of that file (flock): a file without its lock belongs to a process that was killed, and `ompprof
// record` copies the file (profiler/cli/files/staged_profiles.h).
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_FILES_STAGED_FILE_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_FILES_STAGED_FILE_H_

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "profiler/collect/write/files/log_file.h"

namespace ompprof::collect {

class StagedFile {
 public:
  // `file` was opened at `path`. From now on it is a file below `folder`, which begins with `first`. Returns 0 or
  // -errno; on an error, `file` stays what it is.
  int Begin(const char* folder, const char* path, const void* first, size_t size, LogFile* file);
  bool is_active() const { return active_; }
  // The file below the folder.
  const char* path() const { return path_; }

  // Copies all of `file` to the profile's name, which then has either the former contents or all of the new. May be
  // called several times. Returns 0 or -errno.
  int Publish(const LogFile& file);
  // After the last copy: removes the file below the folder, and the folders that are empty now.
  void Remove();

  // A number that changes while a copy advances. For the thread that waits.
  uint32_t pieces() const { return pieces_.load(std::memory_order_relaxed); }

 private:
  int CopyTo(int to, const LogFile& file);
  bool IsOurs(const char* path, const LogFile& file) const;

  bool active_ = false;
  size_t header_size_ = 0;
  size_t root_size_ = 0;  // of path_: FOLDER/ompprof-UID
  char path_[PATH_MAX] = "";
  std::atomic<uint32_t> pieces_{0};
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_FILES_STAGED_FILE_H_

// A file that appears whole or not at all. It is written under another name in its folder and renamed at the end, so
// that a full disk or a killed command leaves the previous file in place. The commands write all their files with it.
#ifndef OMPPROF_PROFILER_MODEL_REPLACEMENT_FILE_H_
#define OMPPROF_PROFILER_MODEL_REPLACEMENT_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "profiler/model/status.h"

namespace ompprof::model {

// Whether both name one file that is there.
bool IsSameFile(const std::string& a, const std::string& b);

class ReplacementFile {
 public:
  ReplacementFile() = default;
  ReplacementFile(const ReplacementFile&) = delete;
  ReplacementFile& operator=(const ReplacementFile&) = delete;

  // Removes what was written, unless it was committed.
  ~ReplacementFile();

  // Begins the file that `path` is to become. A device or a pipe is written to as it is. Sentences begin with `path`.
  Status Open(const std::string& path);

  Status Append(std::string_view bytes);

  // Makes the file what `path` names.
  Status Commit();

  uint64_t size() const { return size_; }

 private:
  Status Flush();
  Status Failed(const char* what, int error) const;

  std::string path_;
  std::string target_;     // path_ with symbolic links followed
  std::string temporary_;  // empty: written to in place
  std::string buffer_;
  uint64_t size_ = 0;
  int fd_ = -1;
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_REPLACEMENT_FILE_H_

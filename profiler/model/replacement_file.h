// A file that appears whole or not at all. The bytes go to a file with another name in the same folder, which is
// renamed at the end. So a full disk or a killed command leaves the previous file in place. The commands write all
// their files with it.
#ifndef OMPPROF_PROFILER_MODEL_REPLACEMENT_FILE_H_
#define OMPPROF_PROFILER_MODEL_REPLACEMENT_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "profiler/model/status.h"

namespace ompprof::model {

// Whether both names mean one existing file.
bool IsSameFile(const std::string& a, const std::string& b);

class ReplacementFile {
 public:
  ReplacementFile() = default;
  ReplacementFile(const ReplacementFile&) = delete;
  ReplacementFile& operator=(const ReplacementFile&) = delete;

  // Removes the written bytes, unless they were committed.
  ~ReplacementFile();

  // Begins the file that will get the name `path`. A device or a pipe is written directly. Sentences begin with `path`.
  Status Open(const std::string& path);

  Status Append(std::string_view bytes);

  // Gives the written file the name `path`.
  Status Commit();

  uint64_t size() const { return size_; }

 private:
  Status Flush();
  Status Failed(const char* what, int error) const;

  std::string path_;
  std::string target_;     // path_ with symbolic links followed
  std::string temporary_;  // empty: target_ is written directly
  std::string buffer_;
  uint64_t size_ = 0;
  int fd_ = -1;
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_REPLACEMENT_FILE_H_

// The file or the standard output that `ompprof export` writes piece by piece.
#ifndef OMPPROF_PROFILER_CLI_OUTPUT_EXPORT_OUTPUT_H_
#define OMPPROF_PROFILER_CLI_OUTPUT_EXPORT_OUTPUT_H_

#include <string>
#include <string_view>

#include "profiler/model/replacement_file.h"
#include "profiler/model/status.h"

namespace ompprof::cli {

class ExportOutput {
 public:
  // "-" is standard output. On a terminal, characters of text that the terminal would obey are replaced.
  model::Status Open(const std::string& path);

  // After a failure, further pieces are dropped.
  void Write(std::string_view piece);

  // The first failure, if any. The file appears now.
  model::Status Finish();

 private:
  bool is_file_ = false;
  bool is_terminal_ = false;
  std::string for_terminal_;  // the whole text, because a character may lie in two pieces
  model::ReplacementFile file_;
  model::Status status_;
};

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_OUTPUT_EXPORT_OUTPUT_H_

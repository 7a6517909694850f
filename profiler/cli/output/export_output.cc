#include "profiler/cli/output/export_output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "profiler/report/basics/units.h"

namespace ompprof::cli {
namespace {

model::Status ToStandardOutput(std::string_view bytes, bool flush = false) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && (!flush || std::fflush(stdout) == 0))
    return {};
  return model::Status(std::string("standard output: cannot be written: ") + std::strerror(errno));
}

}  // namespace

model::Status ExportOutput::Open(const std::string& path) {
  is_file_ = path != "-";
  is_terminal_ = !is_file_ && isatty(STDOUT_FILENO);
  if (is_file_) status_ = file_.Open(path);
  return status_;
}

void ExportOutput::Write(std::string_view piece) {
  if (!status_.ok()) return;
  if (is_terminal_)
    for_terminal_ += piece;
  else
    status_ = is_file_ ? file_.Append(piece) : ToStandardOutput(piece);
}

model::Status ExportOutput::Finish() {
  if (!status_.ok()) return status_;
  if (is_file_) return file_.Commit();
  return ToStandardOutput(is_terminal_ ? report::PrintableLines(for_terminal_) : "", true);
}

}  // namespace ompprof::cli

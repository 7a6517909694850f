#include "profiler/model/successor.h"

#include <filesystem>
#include <system_error>

#include "profiler/model/file_source.h"
#include "profiler/model/record_log.h"

namespace ompprof::model {
namespace {

// The header of the first process; false for a file that is no profile. Only regular files are opened: a read from a
// pipe would take bytes from its true reader.
bool ReadHeader(const std::filesystem::path& path, Header* header) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  ByteSource source;
  if (!OpenFileSource(path.string(), &source).ok()) return false;
  RecordLog log(source);
  Record record;
  if (!log.Open().ok() || log.Read(&record) != RecordLog::Next::kRecord || !record.has_header()) return false;
  *header = record.header();
  return true;
}

}  // namespace

std::string FindSuccessor(const ProcessProfile& profile) {
  if (!profile.complete || profile.footer.reason() != "exec") return "";
  const Header& before = profile.header;
  std::filesystem::path folder = std::filesystem::path(profile.file).parent_path();
  if (folder.empty()) folder = ".";
  std::string found;
  int64_t earliest = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    Header after;
    if (!ReadHeader(at->path(), &after) || after.pid() != before.pid() || after.host() != before.host() ||
        after.start_unix_ns() <= before.start_unix_ns() || (!found.empty() && after.start_unix_ns() >= earliest))
      continue;
    found = (std::filesystem::path(profile.file).parent_path() / at->path().filename()).string();
    earliest = after.start_unix_ns();
  }
  return found;
}

}  // namespace ompprof::model

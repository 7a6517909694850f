#include "profiler/model/profile_header.h"

#include <filesystem>
#include <system_error>

#include "profiler/model/file_source.h"
#include "profiler/model/record_log.h"

namespace ompprof::model {

bool ReadHeader(const std::string& path, Header* header) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  ByteSource source;
  if (!OpenFileSource(path, &source).ok()) return false;
  RecordLog log(source);
  Record record;
  if (!log.Open().ok() || log.Read(&record) != RecordLog::Next::kRecord || !record.has_header()) return false;
  *header = record.header();
  return true;
}

}  // namespace ompprof::model

#include "profiler/cli/replaceable.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "profiler/cli/load.h"
#include "profiler/model/profile_header.h"
#include "proto/callpath_profile_magic.h"

namespace ompprof::cli {
namespace {

bool IsFileWithContent(const std::string& path) {
  std::error_code error;
  return path != "-" && std::filesystem::is_regular_file(path, error) && std::filesystem::file_size(path, error) > 0;
}

// The first line, or its first 64 KiB.
std::string FirstLine(const std::string& path) {
  std::string line(size_t{64} << 10, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<size_t>(file.gcount()));
  return line.substr(0, line.find('\n'));
}

bool IsFoldedStack(const std::string& line) {
  const size_t space = line.rfind(' ');
  return space != std::string::npos && space > 0 && space + 1 < line.size() &&
         std::all_of(line.begin() + static_cast<std::ptrdiff_t>(space) + 1, line.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

bool Refuse(const std::string& path, const std::string& what) {
  Complain(path + ": " + what + ", so nothing is written; name another output, or give --force");
  return false;
}

}  // namespace

bool MayReplace(const std::string& path, const std::string& begin, bool force) {
  if (force || !IsFileWithContent(path)) return true;
  const std::string line = FirstLine(path);
  if ((line + '\n').rfind(fields::kMagic, 0) == 0) return Refuse(path, "is a profile");
  if (begin.empty() ? IsFoldedStack(line) : line.rfind(begin, 0) == 0) return true;
  return Refuse(path, "exists, and is another kind of file");
}

bool MayReplaceJob(const std::string& path, bool force) {
  if (force || !IsFileWithContent(path)) return true;
  Header header;
  if (!model::ReadHeader(path, &header)) return Refuse(path, "exists, and is no profile");
  return header.has_unified() || Refuse(path, "is a profile");
}

}  // namespace ompprof::cli

#include "profiler/cli/output/replaceable.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "profiler/cli/options/complaint.h"
#include "profiler/model/profile_header.h"
#include "proto/callpath_profile_magic.h"

namespace ompprof::cli {
namespace {

bool IsFileWithContent(const std::string& path) {
  std::error_code error;
  return path != "-" && std::filesystem::is_regular_file(path, error) && std::filesystem::file_size(path, error) > 0;
}

std::string FirstBytes(const std::string& path) {
  std::string bytes(size_t{64} << 10, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(file.gcount()));
  return bytes;
}

bool IsFoldedStack(std::string_view line) {
  const size_t space = line.rfind(' ');
  return space != std::string_view::npos && space > 0 && space + 1 < line.size() &&
         std::all_of(line.begin() + static_cast<std::ptrdiff_t>(space) + 1, line.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

// Whether each line is a stack and its number, and some stack has two frames: a table of names and numbers has none.
// The last line may be cut.
bool AreFoldedStacks(std::string_view bytes) {
  bool deep = false;
  for (size_t end = 0; (end = bytes.find('\n')) != std::string_view::npos; bytes.remove_prefix(end + 1)) {
    const std::string_view line = bytes.substr(0, end);
    if (!IsFoldedStack(line)) return false;
    deep |= line.find(';') != std::string_view::npos;
  }
  return deep;
}

bool Refuse(const std::string& path, const std::string& what) {
  Complain(path + ": " + what + ", so nothing is written; name another output, or give --force");
  return false;
}

}  // namespace

bool MayReplace(const std::string& path, const OwnFile& own, bool force) {
  if (force || !IsFileWithContent(path)) return true;
  const std::string bytes = FirstBytes(path);
  if (bytes.rfind(fields::kMagic, 0) == 0) return Refuse(path, "is a profile");
  const bool is_own = own.begin.empty() ? AreFoldedStacks(bytes)
                                        : bytes.rfind(own.begin, 0) == 0 && bytes.find(own.mark) != std::string::npos;
  return is_own || Refuse(path, "exists, and is no earlier output of this kind");
}

bool MayReplaceJob(const std::string& path, bool force) {
  if (force || !IsFileWithContent(path)) return true;
  Header header;
  if (!model::ReadHeader(path, &header)) return Refuse(path, "exists, and is no profile");
  return header.has_unified() || Refuse(path, "is a profile");
}

}  // namespace ompprof::cli

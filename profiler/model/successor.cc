#include "profiler/model/successor.h"

#include <filesystem>
#include <system_error>

#include "profiler/model/profile_header.h"

namespace ompprof::model {

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
    if (!ReadHeader(at->path().string(), &after) || after.pid() != before.pid() || after.host() != before.host() ||
        after.start_unix_ns() <= before.start_unix_ns() || (!found.empty() && after.start_unix_ns() >= earliest))
      continue;
    found = (std::filesystem::path(profile.file).parent_path() / at->path().filename()).string();
    earliest = after.start_unix_ns();
  }
  return found;
}

}  // namespace ompprof::model

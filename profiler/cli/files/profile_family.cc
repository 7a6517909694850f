#include "profiler/cli/files/profile_family.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

#include "profiler/config/output_name.h"
#include "profiler/model/profile_header.h"

namespace ompprof::cli {
namespace {

constexpr char kOld[] = ".old";

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Splits a name where a number would stand: "run.ompprof.old" becomes "run" and ".ompprof.old".
std::pair<std::string, std::string> SplitName(const std::string& name) {
  size_t end = name.size();
  if (EndsWith(name, kOld)) end -= sizeof kOld - 1;
  constexpr size_t kSuffix = sizeof config::kProfileSuffix - 1;
  if (end > kSuffix && name.compare(end - kSuffix, kSuffix, config::kProfileSuffix) == 0) end -= kSuffix;
  return {name.substr(0, end), name.substr(end)};
}

// The number in `name` between `begin` and `end`, behind a point. 0: no number.
uint64_t NumberIn(const std::string& name, const std::string& begin, const std::string& end) {
  constexpr size_t kMostDigits = 9;
  if (name.size() < begin.size() + 2 + end.size() || name.compare(0, begin.size(), begin) != 0 ||
      !EndsWith(name, end) || name[begin.size()] != '.') {
    return 0;
  }
  const std::string digits = name.substr(begin.size() + 1, name.size() - begin.size() - 1 - end.size());
  const bool number = digits.size() <= kMostDigits && digits[0] != '0' &&
                      std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  return number ? std::stoull(digits) : 0;
}

// Holds the folder of profiles for one process at a time. Does nothing on a file system without such locks.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder)
      : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
  }
  ~FolderLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

std::filesystem::path FolderOf(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

void RemoveProfiles(const std::vector<std::string>& files) {
  Header header;
  for (const std::string& file : files) {
    if (model::ReadHeader(file, &header)) unlink(file.c_str());
  }
}

}  // namespace

std::vector<std::string> NumberedFiles(const std::string& path) {
  const auto [begin, end] = SplitName(std::filesystem::path(path).filename().string());
  std::vector<std::pair<uint64_t, std::string>> numbered;
  std::error_code error;
  if (std::filesystem::exists(path, error)) numbered.emplace_back(0, path);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (std::filesystem::directory_iterator at(FolderOf(path), error), last; !error && at != last; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const uint64_t number = NumberIn(name, begin, end);
    if (number != 0) numbered.emplace_back(number, (folder / name).string());
  }
  std::sort(numbered.begin(), numbered.end());
  std::vector<std::string> files;
  for (auto& [number, file] : numbered) files.push_back(std::move(file));
  return files;
}

std::vector<std::string> OthersOfRun(const std::string& path) {
  Header own;
  if (!model::ReadHeader(path, &own) || own.run().empty()) return {};
  std::vector<std::tuple<int64_t, size_t, std::string>> others;
  for (std::string& file : NumberedFiles(path)) {
    Header header;
    if (file != path && model::ReadHeader(file, &header) && header.run() == own.run())
      others.emplace_back(header.start_unix_ns(), others.size(), std::move(file));
  }
  std::sort(others.begin(), others.end());
  std::vector<std::string> files;
  for (auto& [start, number, file] : others) files.push_back(std::move(file));
  return files;
}

std::vector<std::string> OthersInFolder(const std::string& path) {
  Header own;
  if (!model::ReadHeader(path, &own) || own.run().empty()) return {};
  std::vector<std::string> others;
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (std::filesystem::directory_iterator at(FolderOf(path), error), last; !error && at != last; at.increment(error)) {
    const std::string file = (folder / at->path().filename()).string();
    Header header;
    if (EndsWith(file, config::kProfileSuffix) && file != path && model::ReadHeader(file, &header) &&
        header.run() == own.run())
      others.push_back(file);
  }
  std::sort(others.begin(), others.end());
  return others;
}

model::Status MoveFamilyAside(const std::string& path, const std::string& run) {
  const FolderLock lock(FolderOf(path));
  std::vector<std::string> profiles;
  for (std::string& file : NumberedFiles(path)) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) continue;
    Header header;
    if (model::ReadHeader(file, &header)) {
      if (header.run() == run) return {};
      profiles.push_back(std::move(file));
    } else if (file == path && !std::filesystem::is_empty(file, error)) {
      return model::Status(path + ": the file exists and is no profile, so nothing is written; name another output");
    }
  }
  if (profiles.empty()) return {};
  for (const std::string& file : profiles) {
    std::error_code error;
    Header header;
    const std::string aside = file + kOld;
    if (std::filesystem::exists(aside, error) && !model::ReadHeader(aside, &header))
      return model::Status(file + ": this earlier profile cannot be renamed, because " + aside +
                           " is no profile; name another output, or move that file");
  }
  RemoveProfiles(NumberedFiles(path + kOld));
  for (const std::string& file : profiles) {
    const std::string aside = file + kOld;
    if (rename(file.c_str(), aside.c_str()) != 0)
      return model::Status(file + ": this earlier profile cannot be renamed to " + aside + ": " + std::strerror(errno) +
                           "; name another output, or remove the profile");
  }
  return {};
}

}  // namespace ompprof::cli

#include "profiler/cli/files/baseline.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "profiler/cli/files/load.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/config/output_name.h"
#include "profiler/model/status.h"
#include "profiler/report/basics/units.h"

namespace ompprof::cli {
namespace {

namespace fs = std::filesystem;

// A name is a folder, and stands in command lines. A point first would hide the folder, and begins temporary names.
bool IsName(const std::string& name) {
  constexpr char kOthers[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
  constexpr size_t kLongest = 100;
  return !name.empty() && name.size() <= kLongest && name[0] != '.' && name[0] != '-' &&
         name.find_first_not_of(kOthers) == std::string::npos;
}

bool CheckName(const char* option, const std::string& name) {
  if (IsName(name)) return true;
  Complain(std::string(option) + "=" + name +
           ": a baseline's name has letters, digits and . _ + - only, and begins with a letter, a digit, _ or +");
  return false;
}

model::Status Failed(const fs::path& path, const char* what, const std::error_code& error) {
  return model::Status(path.string() + ": " + what + ": " + error.message());
}

// The files of all processes that commands read for `files`, each once. False, after a complaint, if a profile cannot
// be read to its end.
bool FilesRead(const std::vector<std::string>& files, std::vector<std::string>* paths) {
  std::set<std::string> known;
  bool all_sound = true;
  ReadNamed(files, false, model::Timeline::kDrop, [&](const model::ReadResult& result) {
    if (!result.status.ok()) {
      Complain(result.status.sentence());
      all_sound = false;
    }
    if (result.usable && known.insert(result.profile.file).second) paths->push_back(result.profile.file);
  });
  return all_sound && !paths->empty();
}

// A name in `folder` that FindProfiles finds and no file has: "run.ompprof", "2.run.ompprof", ...
fs::path FreeName(const fs::path& folder, const std::string& file) {
  fs::path name = fs::path(file).filename();
  if (name.extension() != config::kProfileSuffix) name += config::kProfileSuffix;
  std::error_code ignored;
  fs::path path = folder / name;
  for (int number = 2; fs::exists(path, ignored); ++number)
    path = folder / (std::to_string(number) + "." + name.string());
  return path;
}

model::Status CopyInto(const fs::path& folder, const std::vector<std::string>& files) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Failed(folder, "the folder cannot be made", error);
  for (const std::string& file : files) {
    const fs::path copy = FreeName(folder, file);
    fs::copy_file(file, copy, error);
    if (error) return Failed(copy, ("cannot be written as a copy of " + file).c_str(), error);
  }
  return model::Status();
}

// Gives the complete folder `from` the name `to`, in the place of an earlier folder.
model::Status Rename(const fs::path& from, const fs::path& to) {
  std::error_code error;
  std::error_code ignored;
  const fs::path old = from.string() + ".old";
  const bool is_there = fs::exists(to, ignored);
  if (is_there) fs::rename(to, old, error);
  if (error) return Failed(to, "cannot be replaced", error);
  fs::rename(from, to, error);
  if (!error) {
    fs::remove_all(old, ignored);
    return model::Status();
  }
  if (is_there) fs::rename(old, to, ignored);
  return Failed(to, "cannot be written", error);
}

// Whether the new baseline may take the name `path`. Complains if not. A folder with other files is no baseline:
// --baseline-folder may name any folder.
bool MaySave(const fs::path& path, bool force) {
  std::error_code error;
  if (!fs::exists(path, error)) return true;
  std::string other = fs::is_directory(path, error) ? "" : path.string();
  for (fs::directory_iterator at(path, error), last; !error && other.empty() && at != last; at.increment(error)) {
    std::error_code ignored;
    if (!at->is_regular_file(ignored) || at->path().extension() != config::kProfileSuffix) other = at->path().string();
  }
  if (!other.empty())
    Complain(path.string() + ": is no baseline, so nothing is saved: " + other +
             " is no profile; name another baseline");
  else if (!force)
    Complain(path.string() + ": this baseline exists, so nothing is saved; --force replaces it");
  return other.empty() && force;
}

std::vector<std::string> Names(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), last; !error && at != last; at.increment(error)) {
    std::error_code ignored;
    const std::string name = at->path().filename().string();
    if (IsName(name) && at->is_directory(ignored)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

int SaveBaseline(const std::string& folder, const std::string& name, const std::vector<std::string>& files,
                 bool force) {
  if (!CheckName("--save-baseline", name)) return kUsage;
  const fs::path baseline = fs::path(folder) / name;
  if (!MaySave(baseline, force)) return kUsage;
  std::vector<std::string> paths;
  if (!FilesRead(files, &paths)) {
    Complain("--save-baseline=" + name + ": nothing is saved, because the profiles cannot be read to their end");
    return kFailure;
  }
  const fs::path unfinished = fs::path(folder) / ("." + name + "." + std::to_string(getpid()));
  model::Status status = CopyInto(unfinished, paths);
  if (status.ok()) status = Rename(unfinished, baseline);
  if (!status.ok()) {
    std::error_code ignored;
    fs::remove_all(unfinished, ignored);
    Complain(status.sentence());
    return kFailure;
  }
  std::printf("baseline %s: %s %s in %s\n", name.c_str(), report::Count(paths.size()).c_str(),
              paths.size() == 1 ? "profile" : "profiles", report::Printable(baseline.string()).c_str());
  return kSuccess;
}

std::string FindBaseline(const std::string& folder, const std::string& name) {
  if (!CheckName("--baseline", name)) return "";
  const std::vector<std::string> names = Names(folder);
  if (std::find(names.begin(), names.end(), name) != names.end()) return (fs::path(folder) / name).string();
  std::string list;
  for (const std::string& one : names) list += (list.empty() ? "" : ", ") + one;
  Complain(
      "--baseline=" + name + ": no such baseline in " + folder +
      (names.empty() ? "; `ompprof diff --save-baseline " + name + " FILE...` makes it" : "; the folder has " + list));
  return "";
}

}  // namespace ompprof::cli

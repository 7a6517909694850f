#include "profiler/cli/files/profile_files.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "profiler/config/output_name.h"
#include "profiler/model/profile_header.h"
#include "profiler/model/replacement_file.h"
#include "profiler/report/basics/units.h"

namespace ompprof::cli {
namespace {

namespace fs = std::filesystem;

bool HasProfileName(const fs::path& path) { return path.extension() == config::kProfileSuffix; }

void ListProfiles(const fs::path& folder, std::vector<std::string>* profiles, std::vector<std::string>* faults) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), last; !error && at != last; at.increment(error)) {
    std::error_code ignored;  // the file was removed just now
    if (at->is_directory(ignored) && !at->is_symlink(ignored)) {
      if (at->path().filename() != kOwnFolder) ListProfiles(at->path(), profiles, faults);
      continue;
    }
    if (HasProfileName(at->path()) && at->is_regular_file(ignored)) profiles->push_back(at->path().string());
  }
  if (error) faults->push_back(folder.string() + ": the folder cannot be read: " + error.message());
}

}  // namespace

std::vector<std::string> ProfileFiles::Paths() const {
  std::vector<std::string> paths;
  for (const ProfileFile& file : files) paths.push_back(file.path);
  return paths;
}

ProfileFiles FindProfiles(const std::vector<std::string>& arguments) {
  ProfileFiles found;
  for (const std::string& argument : arguments) {
    std::error_code error;
    if (!fs::is_directory(argument, error)) {
      found.files.push_back({argument, ""});
      continue;
    }
    std::vector<std::string> profiles;
    const size_t faults = found.faults.size();
    ListProfiles(argument, &profiles, &found.faults);
    if (profiles.empty() && found.faults.size() == faults)
      found.faults.push_back(argument +
                             ": the folder has no profiles: no file in it or below it has a name that ends in " +
                             config::kProfileSuffix);
    std::sort(profiles.begin(), profiles.end());
    for (std::string& profile : profiles) found.files.push_back({std::move(profile), argument});
  }
  return found;
}

std::vector<std::string> LeaveOutJobs(ProfileFiles* found) {
  std::set<std::string> jobs;
  std::set<std::string> with_others;  // folders
  for (const ProfileFile& file : found->files) {
    Header header;
    if (file.folder.empty()) continue;
    if (model::ReadHeader(file.path, &header) && header.has_unified())
      jobs.insert(file.path);
    else
      with_others.insert(file.folder);
  }
  std::vector<std::string> sentences;
  std::vector<ProfileFile> rest;
  for (ProfileFile& file : found->files) {
    if (file.folder.empty() || jobs.count(file.path) == 0 || with_others.count(file.folder) == 0) {
      rest.push_back(std::move(file));
      continue;
    }
    sentences.push_back(file.path +
                        ": is a unified job, and is left out: its processes may be among the other profiles in " +
                        file.folder + "; to read it, name the file itself");
  }
  found->files = std::move(rest);
  return sentences;
}

bool IsAmong(const std::string& path, const std::vector<std::string>& arguments) {
  std::error_code error;
  const bool has_name = HasProfileName(path) && fs::is_regular_file(path, error);
  const fs::path folder_of_path = fs::weakly_canonical(path, error).parent_path();
  return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
    std::error_code ignored;
    if (!fs::is_directory(argument, ignored)) return model::IsSameFile(argument, path);
    if (!has_name) return false;
    const fs::path folder = fs::canonical(argument, ignored);
    return std::mismatch(folder.begin(), folder.end(), folder_of_path.begin(), folder_of_path.end()).first ==
           folder.end();
  });
}

std::vector<std::string> UnifyHints(const ProfileFiles& found) {
  std::map<std::string, size_t> counts;
  for (const ProfileFile& file : found.files) {
    if (!file.folder.empty()) ++counts[file.folder];
  }
  std::vector<std::string> sentences;
  for (const auto& [folder, count] : counts) {
    if (count <= kManyFiles) continue;
    sentences.push_back(folder + ": has " + report::Count(count) + " profiles; `ompprof merge --unify -o job.ompprof " +
                        folder +
                        "` makes one file of them, which is faster to read and shows the spread over the processes");
  }
  return sentences;
}

}  // namespace ompprof::cli

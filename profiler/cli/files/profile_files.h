// The files that the FILE arguments of a command stand for. Each command that reads profiles calls it.
//
// A file stands for itself. A folder stands for the profiles in it and below it: regular files whose names end in
// ".ompprof", in the order of their paths. Links to folders are not followed, and kOwnFolder in it is left out.
#ifndef OMPPROF_PROFILER_CLI_FILES_PROFILE_FILES_H_
#define OMPPROF_PROFILER_CLI_FILES_PROFILE_FILES_H_

#include <cstddef>
#include <string>
#include <vector>

namespace ompprof::cli {

// Has the baselines of `ompprof diff`.
inline constexpr char kOwnFolder[] = ".ompprof";

struct ProfileFile {
  std::string path;
  std::string folder;  // the argument that the file was found in; empty: the file itself is an argument
};

struct ProfileFiles {
  std::vector<ProfileFile> files;   // in the order of the arguments
  std::vector<std::string> faults;  // a sentence for each folder without profiles, or that cannot be read

  std::vector<std::string> Paths() const;
};

ProfileFiles FindProfiles(const std::vector<std::string>& arguments);

// What FILE means, for the help of commands.
inline constexpr char kFilesHelp[] =
    "Profiles that `ompprof record` or `ompprof merge` wrote; a folder stands for the profiles in it and below it";

// Leaves out the unified jobs in folders that have other profiles too: a job's processes may be among these. Returns a
// sentence for each such job. Reads the header of each file in a folder.
std::vector<std::string> LeaveOutJobs(ProfileFiles* found);

// Whether `path` is an existing file that FindProfiles would find by one of the arguments. Lists no folder.
bool IsAmong(const std::string& path, const std::vector<std::string>& arguments);

// A folder with more files than this is read faster as a unified job.
inline constexpr size_t kManyFiles = 256;

// For each of the folders with more than kManyFiles files: a sentence about `ompprof merge --unify`.
std::vector<std::string> UnifyHints(const ProfileFiles& found);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_FILES_PROFILE_FILES_H_

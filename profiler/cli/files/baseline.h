// Named copies of profiles that `ompprof diff` compares with. Each name is a folder with the copies:
// .ompprof/baselines/NAME/run.ompprof.
#ifndef OMPPROF_PROFILER_CLI_FILES_BASELINE_H_
#define OMPPROF_PROFILER_CLI_FILES_BASELINE_H_

#include <string>
#include <vector>

namespace ompprof::cli {

// The folder of the baselines, from the current folder, if the user names no other. It lies in kOwnFolder
// (profile_files.h), so that a folder of profiles is read without it.
inline constexpr char kBaselineFolder[] = ".ompprof/baselines";

// Copies all profiles that a command reads for `files` into the baseline `name` of `folder`, and says so on standard
// output. The baseline appears when it is complete. Replaces a baseline of that name only with `force`. Returns an exit
// status, after a complaint if it is not kSuccess: a profile that cannot be read to its end makes no baseline.
int SaveBaseline(const std::string& folder, const std::string& name, const std::vector<std::string>& files, bool force);

// The baseline's folder, for FindProfiles. Empty, after a complaint that names the baselines there are, if there is no
// such baseline.
std::string FindBaseline(const std::string& folder, const std::string& name);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_FILES_BASELINE_H_

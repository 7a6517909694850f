// The profiles of one run that share a name: `ompprof record -o run.ompprof` gives that name to the program's profile,
// and run.1.ompprof, run.2.ompprof, ... to those of the processes that the program starts. All of them name the same
// run in their header. `record` moves the family of an earlier run aside; commands that read run.ompprof read the
// family.
#ifndef OMPPROF_PROFILER_CLI_PROFILE_FAMILY_H_
#define OMPPROF_PROFILER_CLI_PROFILE_FAMILY_H_

#include <string>
#include <vector>

#include "profiler/model/status.h"

namespace ompprof::cli {

// The existing files that have the name `path`, or the name with a number as the collector puts it into names that are
// taken: by number, `path` first.
std::vector<std::string> NumberedFiles(const std::string& path);

// The other profiles of `path`'s run among its numbered files, in the order in which their processes started. Empty if
// `path` is no profile, or does not name its run.
std::vector<std::string> OthersOfRun(const std::string& path);

// Renames the profiles among `path`'s numbered files: each gets ".old" behind its name, and profiles that have such
// names are removed. Does nothing if a profile among them is of the run `run`: ranks of an MPI job come to one name one
// after the other. Not fine: `path` is a file but no profile, or a file cannot be renamed; then nothing that is no
// profile has been touched.
model::Status MoveFamilyAside(const std::string& path, const std::string& run);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_PROFILE_FAMILY_H_

// A family: the profiles of a run that share a name. `ompprof record -o run.ompprof` gives that name to the program's
// profile, and run.1.ompprof, run.2.ompprof, ... to the profiles of processes that the program starts. The headers of
// all these profiles name the same run. `record` moves the family of an earlier run aside; commands that read
// run.ompprof read the family.
#ifndef OMPPROF_PROFILER_CLI_FILES_PROFILE_FAMILY_H_
#define OMPPROF_PROFILER_CLI_FILES_PROFILE_FAMILY_H_

#include <string>
#include <vector>

#include "profiler/model/status.h"

namespace ompprof::cli {

// The existing files with the name `path`, or with that name and a number, as the collector names further profiles. In
// the order of the numbers, `path` first.
std::vector<std::string> NumberedFiles(const std::string& path);

// The other profiles of `path`'s run among its numbered files, in the order in which their processes started. Empty if
// `path` is no profile, or does not name its run.
std::vector<std::string> OthersOfRun(const std::string& path);

// The other profiles of `path`'s run in its folder, whatever their names: without -o, each process's profile has its
// program's name. In the order of the names.
std::vector<std::string> OthersInFolder(const std::string& path);

// Renames the profiles among `path`'s numbered files: each gets ".old" behind its name, and older profiles with such
// names are removed. Does nothing if a profile among these files belongs to the run `run`: ranks of an MPI job come to
// a name one after the other. The status has a sentence if `path` is a file but no profile, or if a file cannot be
// renamed. Files that are no profiles are never touched.
model::Status MoveFamilyAside(const std::string& path, const std::string& run);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_FILES_PROFILE_FAMILY_H_

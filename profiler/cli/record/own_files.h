// The files that were installed or built with this program: the collector, the shim, the helper for MPI.
#ifndef OMPPROF_PROFILER_CLI_RECORD_OWN_FILES_H_
#define OMPPROF_PROFILER_CLI_RECORD_OWN_FILES_H_

#include <string>
#include <vector>

namespace ompprof::cli {

// The folder of this program's own file. Empty without /proc, if the folder is not to be found from the working folder
// either.
std::string OwnFolder();

// The places of `name` in an installation, then `built`, the place in a build, relative to this program's folder.
std::vector<std::string> OwnPlaces(const std::string& name, const std::string& built);

// The first of `places` that exists, with its links resolved; empty if none exists. `tried` gets the missing places.
std::string FirstThere(const std::vector<std::string>& places, std::string* tried);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_RECORD_OWN_FILES_H_

// The packages with the debug symbols of object files on this machine. The report command asks for them.
#ifndef OMPPROF_PROFILER_CLI_DEBUG_PACKAGES_H_
#define OMPPROF_PROFILER_CLI_DEBUG_PACKAGES_H_

#include <functional>
#include <string>
#include <vector>

#include "profiler/analyze/account/unnamed_code.h"

namespace ompprof::cli {

// Like OutputOf of model/command_output.h, which runs the commands outside of tests.
using RunCommand = std::function<std::string(const std::vector<std::string>& words)>;

// Sets package and command of each object, if a package manager owns the object's file: dpkg-query, or else rpm.
void FindDebugPackages(const RunCommand& run, std::vector<analyze::UnnamedObject>* objects);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_DEBUG_PACKAGES_H_

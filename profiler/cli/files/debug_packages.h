// The packages with the debug symbols of object files on this machine. The report command asks for them.
#ifndef OMPPROF_PROFILER_CLI_FILES_DEBUG_PACKAGES_H_
#define OMPPROF_PROFILER_CLI_FILES_DEBUG_PACKAGES_H_

#include <functional>
#include <string>
#include <vector>

#include "profiler/analyze/account/unnamed_code.h"
#include "profiler/model/command_output.h"

namespace ompprof::cli {

// model::RunForOutput, or a test's answers.
using RunCommand = std::function<model::CommandOutput(const std::vector<std::string>& words)>;

// Sets package and command of each object whose file a package manager owns: by one call of dpkg-query; without dpkg,
// by rpm.
void FindDebugPackages(const RunCommand& run, std::vector<analyze::UnnamedObject>* objects);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_FILES_DEBUG_PACKAGES_H_

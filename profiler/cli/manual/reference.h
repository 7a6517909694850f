// The variables, files and exit statuses of each command, for its manual page. Options and examples come from the
// command itself.
#ifndef OMPPROF_PROFILER_CLI_MANUAL_REFERENCE_H_
#define OMPPROF_PROFILER_CLI_MANUAL_REFERENCE_H_

#include <string>
#include <vector>

namespace ompprof::cli {

struct ReferenceEntry {
  std::string name;
  std::string meaning;  // a sentence without its full stop
};

// `command` is a name such as "report"; empty: ompprof itself.
std::vector<ReferenceEntry> VariablesOf(const std::string& command);
std::vector<ReferenceEntry> FilesOf(const std::string& command);
std::vector<ReferenceEntry> ExitStatusesOf(const std::string& command);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_MANUAL_REFERENCE_H_

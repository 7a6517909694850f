// Which of several runs a command shows. Profiles of one run are shown together: ranks, and the processes of a script.
// Runs that were recorded one after the other are not added up, unless the user asks for it.
#ifndef OMPPROF_PROFILER_CLI_FILES_NEWEST_RUN_H_
#define OMPPROF_PROFILER_CLI_FILES_NEWEST_RUN_H_

#include <CLI/CLI.hpp>
#include <set>
#include <string>
#include <vector>

#include "profiler/model/header_facts.h"

namespace ompprof::cli {

// The newest run among the profiles that the arguments stand for.
class NewestRun {
 public:
  explicit NewestRun(const std::vector<std::string>& arguments);

  // The arguments; or if these have several runs, the files of the newest run.
  const std::vector<std::string>& files() const { return files_; }

  // False for a process of an earlier run. A merged file can have processes of several runs.
  bool Has(const Header& header) const;

  // What is left out, for the user: a sentence each.
  const std::vector<std::string>& sentences() const { return sentences_; }

  // "a.ompprof and 3 more"
  std::string Name() const;

 private:
  std::vector<std::string> files_;
  std::vector<std::string> sentences_;
  std::set<std::string> earlier_runs_;
  std::set<model::ProcessIdentity> earlier_;  // processes that do not name their run
};

// The profiles in the current folder, for a command without FILE.
std::vector<std::string> ProfilesHere();

// --all-runs
void AddAllRunsOption(CLI::App* command, bool* all_runs);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_FILES_NEWEST_RUN_H_

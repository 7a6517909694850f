#include "profiler/cli/commands/unify.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "profiler/cli/files/profile_files.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/record/own_files.h"
#include "profiler/config/mpi_ranks.h"
#include "profiler/model/replacement_file.h"
#include "profiler/report/basics/units.h"
#include "profiler/unify/unify_job.h"

namespace ompprof::cli {
namespace {

// The paths without `output`: an earlier unified job may lie in a folder of profiles, and is replaced.
std::vector<std::string> WithoutOutput(std::vector<std::string> paths, const std::string& output) {
  const auto is_output = [&, name = report::BaseName(output)](const std::string& path) {
    return report::BaseName(path) == name && model::IsSameFile(path, output);
  };
  paths.erase(std::remove_if(paths.begin(), paths.end(), is_output), paths.end());
  return paths;
}

// The memory of one process's records serves the next process. glibc would give large blocks back to the kernel and
// take fresh pages for each process, which is a fifth of the time.
void KeepFreedMemory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

// Becomes ompprof-mpi. Returns only if that is not possible.
void BecomeMpiWorker(const UnifyArguments& arguments) {
  std::string tried;
  const std::string program = FirstThere(OwnPlaces("ompprof-mpi", "ompprof-mpi"), &tried);
  if (program.empty()) {
    Complain("warning: ompprof-mpi was not found (tried " + tried + "); rank 0 unifies the job alone");
    return;
  }
  std::vector<std::string> words = ToWords(arguments);
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  Complain("warning: " + program + " cannot be started: " + std::strerror(errno) + "; rank 0 unifies the job alone");
}

}  // namespace

std::vector<std::string> KeepWords() { return {"all", "outliers", "none"}; }

std::vector<std::string> ToWords(const UnifyArguments& arguments) {
  std::vector<std::string> words = {arguments.keep, arguments.output};
  words.insert(words.end(), arguments.files.begin(), arguments.files.end());
  return words;
}

bool FromWords(const std::vector<std::string>& words, UnifyArguments* arguments) {
  if (words.size() < 3) return false;
  arguments->keep = words[0];
  arguments->output = words[1];
  arguments->files.assign(words.begin() + 2, words.end());
  return true;
}

int UnifyAsWorker(const UnifyArguments& arguments, unify::Team* team) {
  KeepFreedMemory();
  unify::UnifyOptions options;
  ProfileFiles found;
  if (team->number() == 0) found = FindProfiles(arguments.files);
  options.files = WithoutOutput(found.Paths(), arguments.output);
  options.output = arguments.output;
  options.keep = arguments.keep == "none"  ? unify::Keep::kNone
                 : arguments.keep == "all" ? unify::Keep::kAll
                                           : unify::Keep::kOutliers;
  const unify::UnifyResult result = unify::UnifyJob(options, team);
  if (team->number() != 0) return kSuccess;
  for (const std::string& fault : found.faults) Complain(fault);
  for (const std::string& complaint : result.complaints) Complain(complaint);
  for (const std::string& warning : result.warnings) Complain("warning: " + warning);
  if (result.files_left_out > 0)
    Complain(std::to_string(result.files_left_out) + " of " + std::to_string(options.files.size()) +
             " files are not in " + options.output);
  if (!result.status.ok()) Complain(result.status.sentence());
  return result.status.ok() && result.complaints.empty() && found.faults.empty() ? kSuccess : kFailure;
}

int RunUnify(const UnifyArguments& arguments) {
  if (config::MpiRanks() > 1) {
    const std::string rank = config::MpiRank();
    BecomeMpiWorker(arguments);
    if (!rank.empty() && rank != "0") return kSuccess;
  }
  int status = kFailure;
  unify::RunThreads(arguments.jobs, [&](unify::Team* team) {
    const int own = UnifyAsWorker(arguments, team);
    if (team->number() == 0) status = own;
  });
  return status;
}

}  // namespace ompprof::cli

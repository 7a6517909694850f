#include "profiler/cli/files/newest_run.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "profiler/cli/files/profile_files.h"
#include "profiler/config/output_name.h"
#include "profiler/model/process_lives.h"
#include "profiler/report/basics/units.h"

namespace ompprof::cli {

NewestRun::NewestRun(const std::vector<std::string>& arguments) : files_(arguments) {
  ProfileFiles found = FindProfiles(arguments);
  std::vector<std::string> jobs_left_out = LeaveOutJobs(&found);
  std::vector<model::ProcessLife> lives;
  std::vector<size_t> file_of;  // by process
  std::vector<bool> unknown(found.files.size());
  for (size_t i = 0; i < found.files.size(); ++i) {
    const std::vector<model::ProcessLife> more = model::ReadLives(found.files[i].path);
    lives.insert(lives.end(), more.begin(), more.end());
    file_of.resize(lives.size(), i);
    unknown[i] = more.empty();
  }
  const std::vector<std::vector<size_t>> runs = model::GroupRuns(lives);
  if (runs.size() < 2) return;

  std::set<size_t> newest;
  for (const size_t process : runs.back()) newest.insert(file_of[process]);
  files_.clear();
  std::vector<std::string> left_out;
  for (const std::string& argument : arguments) {
    const auto is_of = [&argument](const ProfileFile& file) {
      return file.folder == argument || file.path == argument;
    };
    if (std::none_of(found.files.begin(), found.files.end(), is_of)) files_.push_back(argument);  // a faulty folder
  }
  for (size_t i = 0; i < found.files.size(); ++i)
    (unknown[i] || newest.count(i) != 0 ? files_ : left_out).push_back(found.files[i].path);
  for (size_t run = 0; run + 1 < runs.size(); ++run) {
    for (const size_t process : runs[run]) {
      if (lives[process].run.empty())
        earlier_.insert(lives[process].process);
      else
        earlier_runs_.insert(lives[process].run);
    }
  }
  sentences_ = std::move(jobs_left_out);
  sentences_.push_back(Name() + ": the newest of " + report::Count(runs.size()) + " runs" +
                       (left_out.empty() ? ""
                                         : "; " + report::Count(left_out.size()) +
                                               (left_out.size() == 1 ? " profile is" : " profiles are") + " left out") +
                       ". --all-runs adds all runs up, and `ompprof diff` compares runs");
}

std::string NewestRun::Name() const {
  return files_.front() + (files_.size() > 1 ? " and " + report::Count(files_.size() - 1) + " more" : "");
}

bool NewestRun::Has(const Header& header) const {
  return header.run().empty() ? earlier_.count(model::IdentityOf(header)) == 0 : earlier_runs_.count(header.run()) == 0;
}

std::vector<std::string> ProfilesHere() {
  std::vector<std::string> profiles;
  std::error_code error;
  for (std::filesystem::directory_iterator at(".", error), last; !error && at != last; at.increment(error)) {
    std::error_code ignored;
    if (at->path().extension() == config::kProfileSuffix && at->is_regular_file(ignored))
      profiles.push_back(at->path().filename().string());
  }
  std::sort(profiles.begin(), profiles.end());
  return profiles;
}

void AddAllRunsOption(CLI::App* command, bool* all_runs) {
  command->add_flag("--all-runs", *all_runs,
                    "Add up runs that were recorded one after the other (without this option, the newest run only)");
}

}  // namespace ompprof::cli

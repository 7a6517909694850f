#include "profiler/cli/files/load.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "profiler/analyze/builder/build_view.h"
#include "profiler/analyze/builder/select.h"
#include "profiler/cli/files/newest_run.h"
#include "profiler/cli/files/profile_family.h"
#include "profiler/cli/files/profile_files.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/model/header_facts.h"
#include "profiler/model/known_processes.h"
#include "profiler/model/replacement_file.h"
#include "profiler/model/successor.h"
#include "profiler/report/basics/units.h"

namespace ompprof::cli {

namespace {

std::string ProgramOf(const model::ProcessProfile& profile) {
  const std::string& program = profile.header.program();
  return program.substr(program.rfind('/') + 1);
}

uint64_t SampledWeight(const model::ProcessProfile& profile) {
  uint64_t weight = 0;
  for (const model::SampleRow& row : profile.samples) weight += row.cost.weight;
  return weight;
}

// The profile with the most samples, among `first` and the programs that its process became by exec. `first` itself if
// `files` names one of these programs' profiles. Adds the files that it looked at to `looked_at`.
model::ReadResult BusiestSuccessor(model::ReadResult first, const std::vector<std::string>& files, bool quiet,
                                   const model::ReadOptions& options, std::set<std::string>* looked_at) {
  std::string at = model::FindSuccessor(first.profile);
  if (at.empty()) return first;
  std::vector<model::ReadResult> results;
  results.push_back(std::move(first));
  size_t busiest = 0;
  // Each of these programs began after the previous program, so the loop ends.
  for (; !at.empty(); at = model::FindSuccessor(results.back().profile)) {
    const auto is_at = [&at](const std::string& file) { return file == at || model::IsSameFile(file, at); };
    if (std::any_of(files.begin(), files.end(), is_at)) return std::move(results.front());
    model::ReadResult next = model::ReadProfile(at, options);
    if (!next.usable) break;
    looked_at->insert(at);
    results.push_back(std::move(next));
    if (SampledWeight(results.back().profile) > SampledWeight(results[busiest].profile)) busiest = results.size() - 1;
  }
  const model::ProcessProfile& named = results.front().profile;
  const std::string became = named.file + ": " + ProgramOf(named) + " became ";
  if (!quiet && busiest != 0) {
    const model::ProcessProfile& shown = results[busiest].profile;
    Complain(became + ProgramOf(shown) + " by exec; ompprof reads the profile of " + ProgramOf(shown) + ", " +
             shown.file);
  } else if (!quiet && results.size() > 1) {
    Complain(became + "another program by exec; that program's profile is " + results[1].profile.file);
  }
  return std::move(results[busiest]);
}

// The other profiles of the run that `file` began, without the profiles in `files` and in `looked_at`.
std::vector<std::string> RestOfRun(const std::string& file, const std::vector<std::string>& files,
                                   const std::set<std::string>& looked_at) {
  std::vector<std::string> rest;
  for (std::string& other : OthersOfRun(file)) {
    const auto is_other = [&other](const std::string& named) {
      return named == other || model::IsSameFile(named, other);
    };
    if (looked_at.count(other) == 0 && std::none_of(files.begin(), files.end(), is_other))
      rest.push_back(std::move(other));
  }
  return rest;
}

void SayRestOfRun(const std::string& file, const std::vector<std::string>& rest) {
  constexpr size_t kMostNames = 3;
  const bool one = rest.size() == 1;
  std::string names;
  for (size_t i = 0; i < rest.size() && i < kMostNames; ++i) names += (i == 0 ? "" : ", ") + rest[i];
  Complain(file + ": ompprof also reads " +
           (one ? "another profile" : std::to_string(rest.size()) + " other profiles") + " of the same run: " + names +
           (rest.size() > kMostNames ? ", ..." : ""));
}

}  // namespace

void ReadNamed(const std::vector<std::string>& files, bool quiet, const model::ReadOptions& options,
               const std::function<void(model::ReadResult)>& take, bool kept) {
  ProfileFiles found = FindProfiles(files);
  for (const std::string& sentence : LeaveOutJobs(&found)) {
    if (!quiet) Complain(sentence);
  }
  for (const std::string& fault : found.faults) {
    model::ReadResult unusable;
    unusable.status = model::Status(fault);
    take(std::move(unusable));
  }
  const std::vector<std::string> paths = found.Paths();
  model::KnownProcesses known;
  const auto give = [&](model::ReadResult result) {
    if (result.profile.header.kept() && !kept) return;
    // A unified process has the header of one of its members, and may have kept this one.
    const bool of_job = result.profile.header.has_unified() || result.profile.header.kept();
    if (result.usable && !of_job && !known.Add(model::IdentityOf(result.profile.header), result.profile.file)) return;
    take(std::move(result));
  };
  std::set<std::string> looked_at;
  const auto read = [&](const std::string& file, bool say_nothing) {
    // A merged file has all profiles that belong to it: no successor is looked for.
    bool several = false;
    std::optional<model::ReadResult> only;
    const auto take_one = [&](model::ReadResult result) {
      if (only) give(*std::exchange(only, std::nullopt));
      if (several) return give(std::move(result));
      several = true;
      only = std::move(result);
    };
    model::ReadProfiles(file, take_one, options);
    if (!only) return;
    give(only->usable ? BusiestSuccessor(*std::move(only), paths, say_nothing, options, &looked_at) : *std::move(only));
  };
  for (const ProfileFile& file : found.files) {
    read(file.path, quiet);
    if (!file.folder.empty()) continue;  // the rest of its run is in the folder too
    const std::vector<std::string> rest = RestOfRun(file.path, paths, looked_at);
    if (!rest.empty() && !quiet) SayRestOfRun(file.path, rest);
    for (const std::string& other : rest) {
      if (looked_at.count(other) == 0) read(other, true);
    }
  }
  if (quiet) return;
  for (const std::string& sentence : known.Sentences()) Complain(sentence);
}

bool IsInput(const std::string& path, const std::vector<std::string>& files) {
  if (path == "-" || !IsAmong(path, files)) return false;
  Complain(path + ": is one of the profiles to read, so nothing is written; name another output");
  return true;
}

int WriteOutput(const std::string& path, const std::string& bytes) {
  if (path == "-") {
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0) return kSuccess;
    Complain(std::string("standard output: cannot be written: ") + std::strerror(errno));
    return kFailure;
  }
  model::ReplacementFile file;
  model::Status status = file.Open(path);
  if (status.ok()) status = file.Append(bytes);
  if (status.ok()) status = file.Commit();
  if (status.ok()) return kSuccess;
  Complain(status.sentence());
  return kFailure;
}

namespace {

// A script's own profile can be without samples, where the programs that it starts have names of their own. `read`: the
// files of the processes that were read.
void SayWhereSamplesAre(const std::vector<std::string>& files, const std::set<std::string>& read) {
  if (files.size() != 1) return;
  std::vector<std::string> others = OthersInFolder(files[0]);
  others.erase(
      std::remove_if(others.begin(), others.end(), [&](const std::string& other) { return read.count(other) != 0; }),
      others.end());
  if (others.empty()) return;
  constexpr size_t kMostNames = 8;
  const size_t all = others.size();
  if (all > kMostNames) {
    others.resize(kMostNames);
    others.push_back("... and " + std::to_string(all - kMostNames) + " more");
  }
  Complain(files[0] + ": has no samples; other processes of the same run have profiles of their own:", others);
}

// `ranks`: of the profiles that were read.
void SayOtherRanks(const std::string& wanted, const std::set<std::string>& ranks, bool unified) {
  constexpr size_t kMostNames = 16;
  std::vector<std::string> names(ranks.begin(), ranks.end());
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;  // as numbers
  });
  std::string list;
  for (size_t i = 0; i < names.size() && i < kMostNames; ++i) list += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMostNames) list += ", ...";
  Complain("--rank=" + wanted +
           (unified ? ": the unified job keeps the records of " +
                          (names.empty()       ? "no rank"
                           : names.size() == 1 ? "rank " + list
                                               : "ranks " + list) +
                          "; `ompprof merge --unify --keep=all` keeps all"
            : names.empty()
                ? ": the profile has no ranks; mpirun, srun or a similar launcher started none of its processes"
                : ": no such rank in this profile; the profile has " + list));
}

// Builds the views of the processes that come, one after the other.
class Loader {
 public:
  Loader(const LoadRequest& request, Loaded* loaded)
      : loaded_(*loaded), builder_(request.kind, request.timeline, &loaded->symbolizer) {
    if (request.machine_too)
      machine_.emplace(analyze::ViewKind::kMachine, model::Timeline::kDrop, &loaded->machine_symbolizer);
  }

  // False: the process counts something else than those before it, and is left out.
  bool Add(const model::ProcessProfile& process) {
    const std::string measured = model::Measured(process.header);
    if (files_.empty()) {
      loaded_.measured = measured;
      first_file_ = process.file;
    }
    if (measured != loaded_.measured) return false;
    files_.insert(process.file);
    any_samples_ |= !process.samples.empty();
    builder_.Add(process);
    if (machine_) machine_->Add(process);
    return true;
  }

  void Finish() {
    if (files_.empty()) return;
    loaded_.view = builder_.Finish();
    if (machine_) loaded_.machine = machine_->Finish();
  }

  const std::set<std::string>& files() const { return files_; }
  const std::string& first_file() const { return first_file_; }
  bool any_samples() const { return any_samples_; }

 private:
  Loaded& loaded_;
  analyze::ViewBuilder builder_;
  std::optional<analyze::ViewBuilder> machine_;
  std::set<std::string> files_;  // of the processes
  std::string first_file_;
  bool any_samples_ = false;
};

// How to read each of the files.
model::ReadOptions ReadOptionsOf(const LoadRequest& request, const std::vector<std::string>& files) {
  constexpr size_t kFewestTimed = 10000;
  model::ReadOptions options = request.timeline;
  if (request.most_timed != 0)
    options.most_timed =
        std::max(kFewestTimed, request.most_timed / std::max<size_t>(1, FindProfiles(files).files.size()));
  return options;
}

}  // namespace

int Load(const std::vector<std::string>& arguments, const LoadRequest& request, Loaded* loaded) {
  int status = kSuccess;
  const std::optional<NewestRun> newest = request.all_runs ? std::nullopt : std::make_optional<NewestRun>(arguments);
  const std::vector<std::string>& files = newest ? newest->files() : arguments;
  if (newest) {
    for (const std::string& sentence : newest->sentences()) Complain(sentence);
  }
  if (request.job_serves && request.rank.empty()) {
    for (const std::string& hint : UnifyHints(FindProfiles(files))) Complain(hint);
  }
  Loader loader(request, loaded);
  std::set<std::string> other_ranks;
  bool has_unified = false;
  const auto take = [&](const model::ReadResult& result) {
    if (!result.status.ok()) {
      Complain(result.status.sentence());
      status = kFailure;
    }
    if (!result.usable) return;
    const Header& header = result.profile.header;
    if (newest && !newest->Has(header)) return;
    has_unified |= header.has_unified();
    if (!request.rank.empty() && header.rank() != request.rank) {
      if (!header.rank().empty()) other_ranks.insert(header.rank());
      return;
    }
    if (loader.Add(result.profile)) return;
    Complain(result.profile.file + ": left out. This profile counts " + model::Measured(header) + ", and " +
             loader.first_file() + " counts " + loaded->measured);
    status = kFailure;
  };
  ReadNamed(files, false, ReadOptionsOf(request, files), take, !request.rank.empty());
  if (loader.files().empty() && !request.rank.empty() && status == kSuccess) {
    SayOtherRanks(request.rank, other_ranks, has_unified);
    return kUsage;
  }
  if (loader.files().empty()) return kFailure;
  if (!loader.any_samples()) SayWhereSamplesAre(files, loader.files());
  loader.Finish();
  for (const std::string& warning : loaded->view.warnings) Complain("warning: " + warning);
  if (!request.selection.any()) return status;
  if (const std::string why = analyze::WhyNotSelectable(request.selection, loaded->view); !why.empty()) {
    Complain(why);
    loaded->view = analyze::View();
    return kUsage;
  }
  analyze::Select(request.selection, &loaded->view);
  return status;
}

void LoadQuietly(const std::vector<std::string>& files, const LoadRequest& request, Loaded* loaded,
                 std::string* error) {
  Loader loader(request, loaded);
  const auto take = [&](const model::ReadResult& result) {
    if (result.usable)
      loader.Add(result.profile);
    else
      *error = result.status.sentence();
  };
  ReadNamed(files, true, ReadOptionsOf(request, files), take);
  loader.Finish();
}

}  // namespace ompprof::cli

#include "profiler/cli/load.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "profiler/model/successor.h"

namespace ompprof::cli {

void Complain(const std::string& sentence) {
  // Names in it may come from a hostile file, and a terminal obeys control characters.
  std::string printable = sentence;
  for (char& c : printable) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) c = '?';
  }
  std::fprintf(stderr, "ompprof: %s\n", printable.c_str());
}

namespace {

std::string ProgramOf(const model::ProcessProfile& profile) {
  const std::string& program = profile.header.program();
  return program.substr(program.rfind('/') + 1);
}

uint64_t SampledWeight(const model::ProcessProfile& profile) {
  uint64_t weight = 0;
  for (const model::SampleRow& row : profile.samples) weight += row.weight;
  return weight;
}

// Of what a process became by exec, the one with most of the samples; `first` itself if another one is named among
// `files`, or if there is none.
model::ReadResult BusiestSuccessor(model::ReadResult first, const std::vector<std::string>& files, bool quiet) {
  std::string at = model::FindSuccessor(first.profile);
  if (at.empty()) return first;
  std::vector<model::ReadResult> results;
  results.push_back(std::move(first));
  size_t busiest = 0;
  // Each of them began after the one before.
  for (; !at.empty(); at = model::FindSuccessor(results.back().profile)) {
    if (std::find(files.begin(), files.end(), at) != files.end()) return std::move(results.front());
    model::ReadResult next = model::ReadProfile(at);
    if (!next.usable) break;
    results.push_back(std::move(next));
    if (SampledWeight(results.back().profile) > SampledWeight(results[busiest].profile)) busiest = results.size() - 1;
  }
  const model::ProcessProfile& named = results.front().profile;
  const std::string became = named.file + " is the profile of " + ProgramOf(named) + ", which became ";
  if (!quiet && busiest != 0) {
    const model::ProcessProfile& shown = results[busiest].profile;
    Complain(became + ProgramOf(shown) + " by exec; that one's is taken, " + shown.file);
  } else if (!quiet && results.size() > 1) {
    Complain(became + "another program by exec; that one's is " + results[1].profile.file);
  }
  return std::move(results[busiest]);
}

}  // namespace

void ReadNamed(const std::vector<std::string>& files, bool quiet, const std::function<void(model::ReadResult)>& take) {
  for (const std::string& file : files) {
    // Of a merged file nothing is looked for: what was merged is in it.
    bool several = false;
    std::optional<model::ReadResult> only;
    model::ReadProfiles(file, [&](model::ReadResult result) {
      if (only) take(*std::exchange(only, std::nullopt));
      if (several) return take(std::move(result));
      several = true;
      only = std::move(result);
    });
    if (only) take(only->usable ? BusiestSuccessor(*std::move(only), files, quiet) : *std::move(only));
  }
}

int Load(const std::vector<std::string>& files, analyze::ViewKind kind, Loaded* loaded) {
  int status = kSuccess;
  std::vector<const model::ProcessProfile*> processes;
  const auto take = [&](model::ReadResult result) {
    if (!result.status.ok()) {
      Complain(result.status.sentence());
      status = kFailure;
    }
    if (!result.usable) return;
    const std::string& unit = result.profile.header.weight_unit();
    if (!processes.empty() && unit != processes[0]->header.weight_unit()) {
      Complain(result.profile.file + ": counts " + unit + ", but " + processes[0]->file + " counts " +
               processes[0]->header.weight_unit() + ": they cannot be shown together; it is left out");
      status = kFailure;
      return;
    }
    loaded->profiles.push_back(std::move(result.profile));
    processes.push_back(&loaded->profiles.back());
  };
  ReadNamed(files, false, take);
  if (processes.empty()) return kFailure;
  loaded->view = analyze::BuildView(processes, kind, &loaded->symbolizer);
  for (const std::string& warning : loaded->view.warnings) Complain("warning: " + warning);
  return status;
}

}  // namespace ompprof::cli

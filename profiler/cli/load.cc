#include "profiler/cli/load.h"

#include <algorithm>
#include <cstdio>

#include "profiler/model/profile_reader.h"
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

// A wrapper's profile may be all that the user has named.
void TellOfSuccessor(const model::ProcessProfile& profile, const std::vector<std::string>& files) {
  const std::string successor = model::FindSuccessor(profile);
  if (successor.empty() || std::find(files.begin(), files.end(), successor) != files.end()) return;
  const std::string& program = profile.header.program();
  Complain(profile.file + " is the profile of " + program.substr(program.rfind('/') + 1) +
           ", which became another program by exec; that one's is " + successor);
}

}  // namespace

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
  for (const std::string& file : files) model::ReadProfiles(file, take);
  if (processes.empty()) return kFailure;
  loaded->view = analyze::BuildView(processes, kind, &loaded->symbolizer);
  for (const model::ProcessProfile& profile : loaded->profiles) TellOfSuccessor(profile, files);
  for (const std::string& warning : loaded->view.warnings) Complain("warning: " + warning);
  return status;
}

}  // namespace ompprof::cli

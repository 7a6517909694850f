#include "profiler/cli/load.h"

#include <cstdio>

#include "profiler/model/profile_reader.h"

namespace ompprof::cli {

void Complain(const std::string& sentence) { std::fprintf(stderr, "ompprof: %s\n", sentence.c_str()); }

int Load(const std::vector<std::string>& files, analyze::ViewKind kind, Loaded* loaded) {
  int status = kSuccess;
  std::vector<const model::ProcessProfile*> processes;
  for (const std::string& file : files) {
    model::ReadResult result = model::ReadProfile(file);
    if (!result.status.ok()) {
      Complain(result.status.sentence());
      status = kFailure;
    }
    if (!result.usable) continue;
    const std::string& unit = result.profile.header.weight_unit();
    if (!processes.empty() && unit != processes[0]->header.weight_unit()) {
      Complain(file + ": counts " + unit + ", but " + processes[0]->file + " counts " +
               processes[0]->header.weight_unit() + ": they cannot be shown together; it is left out");
      status = kFailure;
      continue;
    }
    loaded->profiles.push_back(std::move(result.profile));
    processes.push_back(&loaded->profiles.back());
  }
  if (processes.empty()) return kFailure;
  loaded->view = analyze::BuildView(processes, kind, &loaded->symbolizer);
  for (const std::string& warning : loaded->view.warnings) Complain("warning: " + warning);
  return status;
}

}  // namespace ompprof::cli

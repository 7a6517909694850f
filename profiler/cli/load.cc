#include "profiler/cli/load.h"

#include <cstdio>

#include "profiler/model/profile_reader.h"

namespace ompprof::cli {

void Complain(const std::string& sentence) {
  // Names in it may come from a hostile file, and a terminal obeys control characters.
  std::string printable = sentence;
  for (char& c : printable) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) c = '?';
  }
  std::fprintf(stderr, "ompprof: %s\n", printable.c_str());
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
  for (const std::string& file : files) model::ReadProfiles(file, take);
  if (processes.empty()) return kFailure;
  loaded->view = analyze::BuildView(processes, kind, &loaded->symbolizer);
  for (const std::string& warning : loaded->view.warnings) Complain("warning: " + warning);
  return status;
}

}  // namespace ompprof::cli

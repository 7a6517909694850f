#include "profiler/cli/files/runs.h"

#include <deque>
#include <utility>

#include "profiler/analyze/builder/build_view.h"
#include "profiler/cli/files/load.h"
#include "profiler/cli/files/profile_files.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/model/header_facts.h"
#include "profiler/model/process_lives.h"

namespace ompprof::cli {

void ReadRuns(const std::vector<std::string>& files, const std::shared_ptr<model::SymbolCache>& cache, RunsRead* read,
              int* status, const std::function<void(const analyze::View&, const model::Symbolizer&)>& take) {
  std::deque<model::ProcessProfile> processes;
  for (const std::string& hint : UnifyHints(FindProfiles(files))) Complain(hint);
  ReadNamed(files, false, model::Timeline::kDrop, [&](model::ReadResult result) {
    if (!result.status.ok()) {
      Complain(result.status.sentence());
      *status = kFailure;
    }
    if (!result.usable) return;
    const Header& header = result.profile.header;
    const std::string measured = model::Measured(header);
    if (read->measured.empty()) read->measured = measured;
    if (measured != read->measured) {
      Complain(result.profile.file + ": left out. This profile counts " + measured + ", and the others count " +
               read->measured);
      *status = kFailure;
      return;
    }
    read->unit = header.weight_unit();
    processes.push_back(std::move(result.profile));
  });
  std::vector<model::ProcessLife> lives;
  for (const model::ProcessProfile& process : processes) lives.push_back(model::LifeOf(process));
  const std::vector<std::vector<size_t>> runs = model::GroupRuns(lives);
  for (const std::vector<size_t>& members : runs) {
    std::vector<const model::ProcessProfile*> run;
    for (const size_t member : members) run.push_back(&processes[member]);
    model::Symbolizer symbolizer(cache);
    const analyze::View view = analyze::BuildView(run, analyze::ViewKind::kUser, &symbolizer);
    for (const std::string& warning : view.warnings) {
      if (read->warnings.insert(warning).second) Complain("warning: " + warning);
    }
    take(view, symbolizer);
  }
  read->runs += runs.size();
  read->processes += processes.size();
}

}  // namespace ompprof::cli

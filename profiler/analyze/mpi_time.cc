#include "profiler/analyze/mpi_time.h"

#include <algorithm>

#include "profiler/analyze/state_kind.h"
#include "profiler/analyze/summary.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

bool BeginsWith(const std::string& text, const char* beginning) { return text.rfind(beginning, 0) == 0; }

std::vector<bool> PathsInMpi(const View& view, const model::Symbolizer& symbolizer) {
  std::vector<bool> location_in_mpi(view.frames.location_count(), false);
  for (LocationId id = 1; id < view.frames.location_count(); ++id) {
    const Location& location = view.frames.location(id);
    for (uint32_t i = 0; i < location.line_count; ++i) {
      const ViewFunction& function = view.frames.function(view.frames.line(location.first_line + i).function);
      if (IsMpi(function.name, symbolizer.objects()[function.object].path)) location_in_mpi[id] = true;
    }
  }
  std::vector<bool> in_mpi(view.paths.size(), false);
  for (PathId path = 1; path < view.paths.size(); ++path) {
    const PathTree::Node& node = view.paths.node(path);
    in_mpi[path] = in_mpi[node.parent] || location_in_mpi[node.location];
  }
  return in_mpi;
}

bool HasLoadedMpi(const ProcessFacts& process) {
  return std::any_of(process.modules.begin(), process.modules.end(),
                     [](const ModuleFacts& module) { return IsMpi("", module.path); });
}

}  // namespace

bool IsMpi(const std::string& function, const std::string& module) {
  if (BeginsWith(function, "MPI_") || BeginsWith(function, "PMPI_")) return true;
  const std::string name = module.substr(module.rfind('/') + 1);
  // The last three have the progress threads of Open MPI.
  return BeginsWith(name, "libmpi") || BeginsWith(name, "libopen-pal") || BeginsWith(name, "libopen-rte") ||
         BeginsWith(name, "libpmix");
}

MpiTime MeasureMpi(const View& view, const model::Symbolizer& symbolizer) {
  MpiTime all;
  all.paths = PathsInMpi(view, symbolizer);
  all.uses.resize(view.run.processes.size());
  for (uint32_t i = 0; i < view.run.processes.size(); ++i) {
    const ProcessFacts& process = view.run.process(i);
    all.uses[i] = !process.rank.empty() && HasLoadedMpi(process);
  }
  for (const ViewSample& sample : view.samples) {
    if (!all.paths[sample.path]) continue;
    all.uses[sample.process] = true;
    const Activity activity = ActivityOf(sample.state);
    const bool in_openmp = activity != Activity::kWork && activity != Activity::kNoState;
    if (sample.own || (in_openmp && sample.state != kStateLibraryWait)) continue;
    if (sample.cost.weight > 0) all.threads[{sample.process, sample.thread}] += sample.cost.weight;
  }
  return all;
}

}  // namespace ompprof::analyze

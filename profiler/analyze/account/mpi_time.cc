#include "profiler/analyze/account/mpi_time.h"

#include <algorithm>

#include "profiler/analyze/builder/mpi_frames.h"
#include "profiler/analyze/view/state_kind.h"

namespace ompprof::analyze {
namespace {

bool HasLoadedMpi(const ProcessFacts& process) {
  return std::any_of(process.modules.begin(), process.modules.end(),
                     [](const ModuleFacts& module) { return IsMpiLibrary(module.path); });
}

}  // namespace

MpiTime MeasureMpi(const View& view) {
  MpiTime all;
  for (const ProcessFacts& process : view.run.processes)
    all.uses.push_back(!process.rank.empty() && HasLoadedMpi(process));
  for (const ViewSample& sample : view.samples) {
    if (sample.state != kStateMpi) continue;
    all.uses[sample.process] = true;
    if (sample.cost.weight > 0) all.threads[{sample.process, sample.thread}] += sample.cost.weight;
  }
  return all;
}

}  // namespace ompprof::analyze

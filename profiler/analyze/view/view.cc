#include "profiler/analyze/view/view.h"

#include <algorithm>

namespace ompprof::analyze {

bool WaitsRecorded(const View& view) {
  return std::all_of(view.run.processes.begin(), view.run.processes.end(),
                     [](const ProcessFacts& process) { return process.waits_known(); });
}

}  // namespace ompprof::analyze

// Reads profiles as runs, for the commands that compare runs: one view for each run. Files of one `ompprof record`, of
// one MPI job, or of overlapping times are one run.
#ifndef OMPPROF_PROFILER_CLI_FILES_RUNS_H_
#define OMPPROF_PROFILER_CLI_FILES_RUNS_H_

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"
#include "profiler/model/symbol_cache.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::cli {

struct RunsRead {
  std::string measured;  // the figure that the weights count; set before: other profiles are left out
  std::string unit;      // SamplingFacts::weight_unit
  size_t runs = 0;
  size_t processes = 0;            // of all runs
  std::set<std::string> warnings;  // that were printed
};

// Gives `take` the view of each run, the oldest first, and the symbolizer that numbers its object files. Complains of
// files that cannot be read, and sets `status` then. The views of one call share names, but not numbers of functions.
void ReadRuns(const std::vector<std::string>& files, const std::shared_ptr<model::SymbolCache>& cache, RunsRead* read,
              int* status, const std::function<void(const analyze::View&, const model::Symbolizer&)>& take);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_FILES_RUNS_H_

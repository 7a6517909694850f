// The part of a run that a report covers: `--phase`, `--region` and `--thread`. A View says of which part it is.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_SELECTION_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_SELECTION_H_

#include <cstdint>
#include <optional>
#include <string>

namespace ompprof::analyze {

struct Selection {
  std::string phase = {};               // with the phases inside it; empty: all
  std::string region = {};              // the innermost region, as FindRegions takes it; empty: all
  std::optional<uint32_t> thread = {};  // ThreadFacts::id, in each process

  bool any() const { return !phase.empty() || !region.empty() || thread; }

  // Which exact figures the profile has of such a part: waits by thread and region, a region's figures for all threads
  // and phases together, a thread's clocks for all regions and phases together.
  bool knows_waits() const { return phase.empty(); }
  bool knows_regions() const { return phase.empty() && !thread; }
  bool knows_threads() const { return phase.empty() && region.empty(); }
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_SELECTION_H_

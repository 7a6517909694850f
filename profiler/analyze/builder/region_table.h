// Collects the view's regions: finds them by construct, adds their figures up and sorts them. The view builder uses it.
#ifndef OMPPROF_PROFILER_ANALYZE_BUILDER_REGION_TABLE_H_
#define OMPPROF_PROFILER_ANALYZE_BUILDER_REGION_TABLE_H_

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "profiler/analyze/view/view.h"
#include "profiler/model/process_profile.h"

namespace ompprof::analyze {

class RegionTable {
 public:
  explicit RegionTable(std::vector<Region>* regions) : regions_(*regions) {}

  // The construct's region; created if necessary. The reference is valid until the next call.
  Region& At(FunctionId construct);

  // Adds the figures of one thread's instances of the construct.
  void Add(FunctionId construct, const RegionStats& stats);

  // Adds the waits within regions. RegionStats has those at the regions' ends.
  void AddWaits(const std::vector<WaitTotal>& waits);

  // Called once, after all additions. Subtracts the profiler's own time from useful time, sorts, and drops the figures
  // that come from waits if waits were not recorded.
  void Finish(bool waits_recorded);

 private:
  std::vector<Region>& regions_;
  std::unordered_map<FunctionId, size_t> index_;
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_BUILDER_REGION_TABLE_H_

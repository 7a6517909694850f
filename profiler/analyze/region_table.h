// The view's regions while it is built: found by their construct, added up, and put in order. The view builder uses it.
#ifndef OMPPROF_PROFILER_ANALYZE_REGION_TABLE_H_
#define OMPPROF_PROFILER_ANALYZE_REGION_TABLE_H_

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "profiler/analyze/view.h"

namespace ompprof::analyze {

class RegionTable {
 public:
  explicit RegionTable(std::vector<Region>* regions) : regions_(*regions) {}

  // The construct's region, a new one if need be. Valid until the next call.
  Region& At(FunctionId construct);

  // Adds what one thread's instances of the construct came to.
  void Add(FunctionId construct, const RegionStats& stats);

  // Once all is added: takes the profiler's own time out of useful time, forgets what comes of waits unless they were
  // recorded, and sorts.
  void Finish(bool waits_recorded);

 private:
  std::vector<Region>& regions_;
  std::unordered_map<FunctionId, size_t> index_;
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_REGION_TABLE_H_
